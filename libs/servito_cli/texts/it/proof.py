"""Italian: `form/proof.py`."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form.proof import ProofTexts

PROOF: Final = ProofTexts(
    holds="Mano {hand}: tutto torna. {received} carte ricevute da te e {shown} scoperte dagli altri erano "
    "dove chi le ha date era vincolato ad averle prima che uscisse la prima carta (ordini sigillati: "
    "{shuffles}).",
    bound="  hash del seme {seed_hash}\n  radice        {root}",
    wrong="NON TORNA {word}: {why} ({detail})",
    words={
        "hand": "le prove sono di un'altra mano",
        "order": "una carta non viene dalla posizione dovuta, o è uscita prima che l'ordine fosse sigillato",
        "count": "i numeri delle carte non tornano, o una carta non è aperta",
        "seed": "l'hash del seme annunciato prima delle carte è diverso da quello delle prove",
        "entropy": "il riassunto dell'entropia dei giocatori annunciato prima delle carte è un altro",
        "root": "l'ordine sigillato non è quello da cui sono state date le carte",
        "card": "una carta è aperta come un'altra da quella annunciata",
        "salt": "carta e sale non danno la foglia della loro posizione",
        "path": "la strada da una foglia non porta alla radice",
        "format": "questo non è un file di prove, o non è intero",
    },
    written="{file} è scritto; `servito verify {file}` lo controlla.",
    nothing="Non c'è niente da provare: l'inizio di questa mano non è più conservato, o le carte non sono "
    "ancora date.",
    unreadable="{file} non si può leggere: {why}",
    contributes="Dalla prossima mano il tuo posto contribuisce {entropy}. Conservalo: chi controlla può "
    "provare che è stato usato se glielo mostri.",
    contributes_nothing="Dalla prossima mano il tuo posto non contribuisce niente.",
)
