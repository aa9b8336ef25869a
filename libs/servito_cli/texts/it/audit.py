"""Italian: `form/audit.py`."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form.audit import AuditTexts
from servito_history.findings import Chain, Kind

AUDIT: Final = AuditTexts(
    whole="{tables} tavoli, {commits} passi, {payments} movimenti di denaro: tutto è come fu scritto.",
    broken="{tables} tavoli, {commits} passi, {payments} movimenti di denaro; sbagliato: {wrong}.",
    wrong="SBAGLIATO",
    note="nota",
    kinds={
        Kind.CHANGED: "tavolo {table}, {chain}, riga {first}: è stata cambiata dopo che fu scritta",
        Kind.HASH_CHANGED: "tavolo {table}, {chain}, riga {first}: il suo hash è stato cambiato",
        Kind.MOVED: "tavolo {table}, {chain}: le righe {first} e {last} sono state scambiate",
        Kind.MISSING: "tavolo {table}, {chain}: mancano le righe da {first} a {last}",
        Kind.CUT: "tavolo {table}, {chain}: mancano in fondo le righe da {first} a {last}, secondo {source}",
        Kind.HEAD_DIFFERS: "tavolo {table}, {chain}, riga {first}: è un'altra, secondo {source}",
        Kind.GAP: "tavolo {table}, {chain}, riga {first}: la versione {version} segue un passo che non è mai "
        "arrivato qui",
        Kind.BEHIND_STATE: "tavolo {table}: il server di stato è alla versione {version}, che non è né qui "
        "(ultima: {archived}) né in viaggio",
        Kind.MONEY_DIFFERS: "tavolo {table}: le fiches entrate meno quelle uscite qui sono {archived}, "
        "secondo il server di stato {carried}: {difference:+}",
        Kind.PAYMENT_DIFFERS: "tavolo {table}, {chain}, riga {first}: qui {player} ha mosso {amount:+} "
        "fiches, secondo il server di stato {state_player} ne ha mosse {state_amount:+}",
        Kind.UNREADABLE: "tavolo {table}, {chain}, riga {first}: non si può leggere",
        Kind.REWOUND: "tavolo {table}: un failover ha perso le righe da {first} a {last}; il tavolo è andato "
        "avanti con un'altra versione {version}",
        Kind.BEGINS_LATE: "tavolo {table}: il suo archivio comincia dalla versione {version}",
        Kind.NO_RECORD: "tavolo {table}, riga {first}: della mano {hand} manca il registro delle carte",
        Kind.NOT_HERE: "tavolo {table}: non ne è ancora archiviato nulla (versione {version})",
    },
    chains={Chain.COMMITS: "passi", Chain.PAYMENTS: "denaro"},
    sources={"head": "la nota dell'archivio stesso", "noted": "il file delle teste"},
    compared="Confrontato con il server di stato: ogni tavolo sta su un passo che è qui o in viaggio, e le "
    "sue fiches sono entrate e uscite come è scritto qui.",
    no_state="Non confrontato con un server di stato: qui non se ne conosce nessuno.",
    not_compared="Non confrontato con il server di stato (--no-state lo tralascia): {why}",
    no_servito="quello che SERVITO_STATE_URL nomina non tiene tavoli di Servito",
    unknown_table="In questo archivio non c'è nulla del tavolo {table}.",
    nowhere="non si conosce nessun archivio: dare --history o {variable}, o `servito up` qui ({file})",
    unreadable="L'archivio non si può usare: {why}",
    heads_unreadable="{file} non si può leggere come ciò che stampa `servito audit heads`: {why}",
    no_record="L'archivio non ha il registro di chi dà le carte per la mano {hand}.",
    record_written="{file} è scritto; lo apre chi ha le chiavi di chi dà le carte: "
    "`python -m servito_dealer.audit {hand} --record {file}`.",
    migrated="L'archivio {place} è pronto.",
    current="L'archivio {place} era già pronto.",
)
