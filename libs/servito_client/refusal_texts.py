"""Why the table refuses, in words for the person who was refused: Italian and English.

On the wire there are reasons and an English message for developers; this is what a client shows. One text for
every reason of refusal.proto, which a test holds to it; what is allowed instead (a range, a number of cards)
is in the offer and in the message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from servito_client.errors import Refusal

ENGLISH: Final[Mapping[str, str]] = {
    "MALFORMED": "the request cannot be read",
    "UNAUTHENTICATED": "it is not known who you are",
    "NOT_PERMITTED": "you may not do that",
    "UNKNOWN_TABLE": "there is no such table",
    "REQUEST_ID_REUSED": "this request was already made with other content",
    "INVALID_CONFIG": "these rules contradict themselves",
    "UNKNOWN_HAND": "there is no such hand, or it is no longer kept",
    "UNKNOWN_TEMPLATE": "there is no such template",
    "SEAT_TAKEN": "somebody sits there",
    "NO_SUCH_SEAT": "the table has no such seat",
    "BUY_IN_OUT_OF_LIMITS": "the buy-in is outside the limits of the table",
    "ALREADY_SEATED": "you sit at this table already",
    "NOT_SEATED": "you have no seat at this table",
    "TABLE_FULL": "every seat is taken",
    "SEAT_RESERVED": "the seat is held for somebody who waited for it",
    "ALREADY_WAITING": "you wait for a seat already",
    "NOT_WAITING": "you do not wait for a seat",
    "SEAT_FREE": "a seat is free: you need not wait",
    "HAND_NOT_RUNNING": "no hand is running",
    "NOT_IN_HAND": "you are not in this hand",
    "NOT_YOUR_TURN": "it is not your turn",
    "STALE_TURN": "it is another turn by now",
    "OPENERS_REQUIRED": "you do not hold what it takes to open",
    "ACTION_NOT_AVAILABLE": "you cannot do that now",
    "BELOW_MINIMUM": "that is too little",
    "ABOVE_MAXIMUM": "that is too much",
    "TOO_MANY_DISCARDS": "you cannot change so many cards",
    "CARD_NOT_HELD": "you do not hold that card",
    "DUPLICATE_CARD": "the same card is named twice",
    "TOO_LATE": "your time was up",
    "NO_PROPOSAL": "no change of rules is proposed",
    "PROPOSAL_OPEN": "a change of rules is proposed already",
    "STALE_PROPOSAL": "that proposal is settled",
    "ALREADY_ANSWERED": "you agreed already",
    "TABLE_CLOSED": "the table is closing or closed",
    "NOTHING_TO_CHANGE": "it is so already",
    "CONTENDED": "the table was too busy; try again",
    "OUTCOME_UNKNOWN": "it is not known whether it was done; try again",
    "UNAVAILABLE": "a service does not answer; try again",
    "INTERNAL": "a fault of the service",
}
ITALIAN: Final[Mapping[str, str]] = {
    "MALFORMED": "la richiesta non si capisce",
    "UNAUTHENTICATED": "non si sa chi sei",
    "NOT_PERMITTED": "non ti è permesso",
    "UNKNOWN_TABLE": "questo tavolo non esiste",
    "REQUEST_ID_REUSED": "questa richiesta era già stata fatta con altro contenuto",
    "INVALID_CONFIG": "queste regole si contraddicono",
    "UNKNOWN_HAND": "questa mano non esiste o non è più conservata",
    "UNKNOWN_TEMPLATE": "questo modello di tavolo non esiste",
    "SEAT_TAKEN": "il posto è occupato",
    "NO_SUCH_SEAT": "il tavolo non ha quel posto",
    "BUY_IN_OUT_OF_LIMITS": "la puglia è fuori dai limiti del tavolo",
    "ALREADY_SEATED": "sei già seduto a questo tavolo",
    "NOT_SEATED": "non sei seduto a questo tavolo",
    "TABLE_FULL": "tutti i posti sono occupati",
    "SEAT_RESERVED": "il posto è tenuto per chi lo aspettava",
    "ALREADY_WAITING": "stai già aspettando un posto",
    "NOT_WAITING": "non stai aspettando un posto",
    "SEAT_FREE": "c'è un posto libero: non serve aspettare",
    "HAND_NOT_RUNNING": "non c'è una mano in corso",
    "NOT_IN_HAND": "non sei in questa mano",
    "NOT_YOUR_TURN": "non tocca a te",
    "STALE_TURN": "adesso il turno è un altro",
    "OPENERS_REQUIRED": "non hai le carte per aprire",
    "ACTION_NOT_AVAILABLE": "adesso non puoi farlo",
    "BELOW_MINIMUM": "è troppo poco",
    "ABOVE_MAXIMUM": "è troppo",
    "TOO_MANY_DISCARDS": "non puoi cambiare tante carte",
    "CARD_NOT_HELD": "non hai quella carta",
    "DUPLICATE_CARD": "la stessa carta è nominata due volte",
    "TOO_LATE": "il tempo era scaduto",
    "NO_PROPOSAL": "non è proposto nessun cambio di regole",
    "PROPOSAL_OPEN": "un cambio di regole è già proposto",
    "STALE_PROPOSAL": "quella proposta è già decisa",
    "ALREADY_ANSWERED": "hai già accettato",
    "TABLE_CLOSED": "il tavolo chiude o è già chiuso",
    "NOTHING_TO_CHANGE": "è già così",
    "CONTENDED": "il tavolo era troppo occupato; riprova",
    "OUTCOME_UNKNOWN": "non si sa se è stato fatto; riprova",
    "UNAVAILABLE": "un servizio non risponde; riprova",
    "INTERNAL": "un guasto del servizio",
}
_LANGUAGES: Final = {"en": ENGLISH, "it": ITALIAN}


def refusal_text(refusal: Refusal, language: Literal["en", "it"]) -> str:
    """The reason in words; the server's own message for a reason that is newer than this client."""
    return _LANGUAGES[language].get(refusal.reason, refusal.message)
