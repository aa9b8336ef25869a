"""What each preset is, in a sentence of each language. Changes with `servito_core.rules.presets`."""

from __future__ import annotations

from collections.abc import Mapping

from servito_core.rulebook.sentence import Sentence

PRESET_SENTENCES: Mapping[str, Sentence] = {
    "italiana": Sentence(
        "Le regole di base: fanti per aprire, puntate al piatto, semi e giro delle scale reali.",
        "The base rules: jacks to open, pot limit, suits and the circle of straight flushes.",
    ),
    "accomodo": Sentence(
        "All'accomodo: apre anche il progetto di scala, si cambiano cinque carte, c'è il buio.",
        "A straight draw opens too, five cards may be changed, there is a blind.",
    ),
    "libera": Sentence(
        "Senza apertura: invito vivo, doppio per il mazziere, puntate libere.",
        "No opening: live antes, twice for the button, no limit.",
    ),
    "classico": Sentence(
        "Con piatto di parola, buio e controbuio; tra coppie uguali vince il cuore.",
        "Unbet pots are carried over, blind and counter-blind, equal pairs decided by the heart.",
    ),
    "pagat": Sentence(
        "Come la racconta pagat: sempre fanti, puntate libere, chi spezza l'apertura lo dichiara.",
        "As pagat tells it: always jacks, no limit, a broken opening is announced.",
    ),
    "sala": Sentence(
        "Come in una sala in rete: ogni rilancio almeno quanto il precedente.",
        "As in an online room: each raise at least as large as the one before.",
    ),
    "americana": Sentence(
        "L'altro gioco: 52 carte, full sopra colore, semi senza valore.",
        "The other game: 52 cards, full house above flush, suits without value.",
    ),
}
