"""What a hand is worth, and the showdown, in words: one sentence for each value (`RULES.md B7`)."""

from __future__ import annotations

from servito_core.rulebook.sentence import Sentence, Sentences

HANDS: Sentences = {
    "flush_vs_full": {
        "by_deck": Sentence(
            "Il colore batte il full, tranne con 52 carte.",
            "A flush beats a full house, except with 52 cards.",
        ),
        "flush": Sentence("Il colore batte sempre il full.", "A flush always beats a full house."),
        "full": Sentence("Il full batte sempre il colore.", "A full house always beats a flush."),
    },
    "ace_low": {
        "adjacent_lowest": Sentence(
            "L'asso vale anche sotto la carta più bassa del mazzo.",
            "The ace also stands below the lowest card of the deck.",
        ),
        "a2345_only": Sentence(
            "L'asso vale anche sotto il due, quindi solo con 52 carte.",
            "The ace also stands below the two, so only with 52 cards.",
        ),
        "never": Sentence("L'asso è sempre la carta più alta.", "The ace is always the highest card."),
    },
    "sf_cycle": {
        True: Sentence(
            "La scala reale minima batte la massima, la massima la media, la media la minima.",
            "The lowest straight flush beats the highest, the highest any between, one between the lowest.",
        ),
        False: Sentence(
            "Tra scale reali vince sempre la più alta.", "Of straight flushes the higher one always wins."
        ),
    },
    "sf_media_tie": {
        "cards_then_suit": Sentence(
            "Tra due scale reali medie contano le carte, poi il seme.",
            "Between two medium straight flushes the cards count, then the suit.",
        ),
        "suit_only": Sentence(
            "Tra due scale reali medie conta il seme, le carte solo se è lo stesso.",
            "Between two medium straight flushes the suit counts, the cards only within one suit.",
        ),
    },
    "sf_standoff": {
        "best_of_each_type": Sentence(
            "Se si incontrano minima, media e massima, la migliore di ciascuna prende un terzo del piatto.",
            "If all three kinds of straight flush meet, the best of each gets a third of the pot.",
        ),
        "all_holders": Sentence(
            "Se si incontrano minima, media e massima, il piatto si divide tra tutte le scale reali.",
            "If all three kinds of straight flush meet, all straight flushes share the pot.",
        ),
    },
    "suit_tiebreak": {
        "combination": Sentence(
            "A parità di carte decide il seme più alto della combinazione: cuori, quadri, fiori, picche.",
            "Equal cards are decided by the best suit of the combination: hearts, diamonds, clubs, spades.",
        ),
        "kicker": Sentence(
            "A parità di carte decide il seme: per coppia e doppia coppia della carta laterale più alta.",
            "Equal cards are decided by suit: for one and two pair of the highest side card.",
        ),
        "fantini": Sentence(
            "A parità di carte decide il seme: per coppia e doppia coppia della carta laterale, "
            "senza coppie della seconda carta.",
            "Equal cards are decided by suit: for one and two pair of the highest side card, "
            "without a pair of the second card.",
        ),
        "pair_suit_first": Sentence(
            "Tra coppie uguali vince subito quella con il cuore, prima delle altre carte; "
            "per il resto decide il seme della combinazione.",
            "Of equal pairs the one with the heart wins at once, before the side cards; "
            "otherwise the suit of the combination decides.",
        ),
        "none": Sentence(
            "I semi non contano: a parità di carte il piatto si divide.",
            "Suits do not count: equal cards share the pot.",
        ),
    },
    "flush_tiebreak": {
        "ranks_then_suit": Sentence(
            "Tra due colori contano le carte, poi il seme.",
            "Between two flushes the cards count, then the suit.",
        ),
        "suit_first": Sentence(
            "Tra due colori conta prima il seme.", "Between two flushes the suit counts first."
        ),
    },
}

SHOWDOWN: Sentences = {
    "show.muck": {
        "all_hands_tabled": Sentence(
            "Al confronto tutti scoprono le carte.", "At the showdown every hand is shown."
        ),
        "may_concede": Sentence(
            "Al confronto chi si arrende può non scoprire le carte.",
            "At the showdown a player may concede without showing.",
        ),
    },
    "odd_chip": {
        "left_of_dealer": Sentence(
            "Il resto che non si divide va ai vincitori in ordine dalla sinistra del mazziere, uno a testa.",
            "Chips that cannot be divided go to the winners one by one, from the button's left.",
        ),
        "highest_suit": Sentence(
            "Il resto che non si divide va al vincitore la cui carta più alta ha il seme più alto.",
            "Chips that cannot be divided go to the winner whose top card has the highest suit.",
        ),
        "next_pot": Sentence(
            "Il resto che non si divide rimane nel piatto per la mano dopo.",
            "Chips that cannot be divided stay in the pot for the next hand.",
        ),
    },
}
