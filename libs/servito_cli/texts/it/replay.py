"""Italian: `form/replay.py`."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form.replay import ReplayTexts
from servito_replay.differences import Kind

REPLAY: Final = ReplayTexts(
    heading="Mano {hand_id}, iniziata {when} (UTC)",
    same="{commits} operazioni, {events} eventi: dopo ognuna la mano è come fu annotata quando si giocò.",
    whole="Tutte le carte sono state viste: chi poteva aprire, i punti e chi ha vinto sono rigiudicati.",
    open="Come tutti possono saperla: le carte coperte, e ciò che hanno deciso, non sono state viste.",
    dealer="{cards} carte erano dove le ha il registro del mazziere elettronico.",
    runs="  ... e nell'archivio la mano non è finita.",
    lost="{commits} operazioni di un ramo perso in un cambio di server non sono state contate.",
    only_lost="La mano {hand_id} andò persa in un cambio di server: il tavolo riprese da prima di essa.",
    differs="DIFFERENZA alla versione {version}: {what}",
    differs_at="DIFFERENZA alla versione {version}, evento {event}: {what}",
    kinds={
        Kind.UNREADABLE: "ciò che è conservato non è un'operazione",
        Kind.MISPLACED: "dice di essere un'altra versione, o di un'altra mano",
        Kind.GAP: "non segue quella di prima",
        Kind.BEGINNING: "l'inizio della mano non c'è",
        Kind.RULES: "si giocò con regole che non esistono",
        Kind.NOT_SEALED: "ciò che è coperto non fu sigillato per il revisore",
        Kind.SEAL: "ciò che fu sigillato per il revisore non si apre, o non sta lì",
        Kind.PARTS: "ciò che tutti ne sanno non è ciò che fu sigillato",
        Kind.EVENT: "questo non può essere successo nella mano",
        Kind.DECISION: "le regole fanno altro di ciò che si è fatto",
        Kind.TO_ACT: "dice che tocca a un altro posto",
        Kind.NO_DIGEST: "lo stato a cui portò non è annotato",
        Kind.FORM: "lo stato è annotato in una forma che questa versione non conosce",
        Kind.SHOWN: "portò a uno stato diverso da quello annotato",
        Kind.WHOLE: "portò a uno stato delle carte coperte diverso da quello annotato",
        Kind.AFTER: "la mano era già finita",
        Kind.DEALER: "il registro del mazziere elettronico ha altro in quel punto",
    },
    unknown="Nell'archivio non c'è nessuna mano {hand_id}.",
    no_id="{hand_id} non è una mano: si scrive il tavolo, un trattino e il numero della mano.",
    stranger="{player} non ebbe carte nella mano {hand_id}.",
    key_needed="Per ciò che fu mostrato a un giocatore serve la chiave del revisore: --auditor-key FILE.",
    no_archive="Nessun archivio indicato: --history URL, o SERVITO_HISTORY_URL.",
    unusable="L'archivio non si può leggere: {why}",
    no_key="{file} non contiene una chiave di revisore: {why}",
    no_lines="{file} non contiene eventi: {why}",
    no_deal="{file} non è ciò che scrive la revisione del mazziere elettronico: {why}",
    written="{lines} righe di {commits} operazioni.",
    broken="Tavolo {table}, {what}. Da lì in poi non se ne scrive nulla.",
    nothing="Nell'archivio niente corrisponde a ciò che è stato chiesto.",
)
