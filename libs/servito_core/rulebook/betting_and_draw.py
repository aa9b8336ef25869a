"""The rules of betting and of the draw in words: one sentence for each value (`RULES.md B3, B4`)."""

from __future__ import annotations

from servito_core.rulebook.sentence import ANY_NUMBER, Sentence, Sentences

BETTING: Sentences = {
    "bet.limit": {
        "pot": Sentence(
            "Si apre, si punta e si rilancia al massimo quanto il piatto.",
            "Openings, bets and raises are at most as large as the pot.",
        ),
        "pot_open_only": Sentence(
            "L'apertura e la prima puntata arrivano al massimo al piatto; i rilanci sono liberi.",
            "The opening and a first bet are at most as large as the pot; raises are free.",
        ),
        "none": Sentence(
            "Le puntate sono libere, fino a tutto il resto.", "Bets are free, up to the whole stack."
        ),
        "fixed": Sentence("Puntate e rilanci hanno misura fissa.", "Bets and raises are of a fixed size."),
    },
    "bet.fixed": {
        None: Sentence("Nessuna misura è fissata per le puntate.", "No size is fixed for bets."),
        ANY_NUMBER: Sentence(
            "Ogni puntata e ogni rilancio è di {n}.", "Every bet and every raise is exactly {n}."
        ),
    },
    "bet.pot_base": {
        "after_call": Sentence(
            "Per il rilancio si conta il piatto dopo aver visto.",
            "For a raise the pot counts as it is after the call.",
        ),
        "before_call": Sentence(
            "Per il rilancio si conta il piatto che c'è sul tavolo.",
            "For a raise the pot counts as it lies on the table.",
        ),
    },
    "bet.min": {
        "ante": Sentence("La puntata minima (cip) è l'invito.", "The least bet is the ante."),
        ANY_NUMBER: Sentence("La puntata minima (cip) è {n}.", "The least bet is {n}."),
    },
    "raise.min": {
        "unit": Sentence(
            "Si rilancia almeno della puntata minima.", "A raise is at least as large as the least bet."
        ),
        "last_increment": Sentence(
            "Si rilancia almeno quanto la puntata o il rilancio più grande del giro.",
            "A raise is at least as large as the largest bet or raise of the round.",
        ),
    },
    "bet.reopen": {
        "any_raise": Sentence(
            "Un rilancio incompleto di chi va a resto permette a tutti di rilanciare ancora.",
            "An all-in raise that is too small lets everybody raise again.",
        ),
        "full_raise_only": Sentence(
            "Dopo un rilancio incompleto chi ha già parlato può solo vedere o passare.",
            "After an all-in raise that is too small, whoever has acted may only call or fold.",
        ),
    },
    "raise.max_count": {
        None: Sentence("I rilanci non hanno limite di numero.", "Any number of raises may follow."),
        ANY_NUMBER: Sentence(
            "I rilanci per giro sono al massimo {n}, apertura esclusa.",
            "A round has at most {n} raises, the opening not counted.",
        ),
    },
}

DRAW: Sentences = {
    "draw.max": {
        4: Sentence("Si cambiano al massimo quattro carte.", "At most four cards are changed."),
        5: Sentence("Si possono cambiare tutte e cinque le carte.", "All five cards may be changed."),
    },
    "draw.deferred": {
        "beyond_three": Sentence(
            "Chi cambia più di tre carte ne riceve tre subito e il resto quando tutti hanno cambiato.",
            "Whoever changes more than three cards gets three at once, the rest when everybody has drawn.",
        ),
        "none": Sentence("Le carte cambiate si ricevono tutte insieme.", "All cards drawn come at once."),
    },
    "draw.exhaust": {
        "reshuffle_dead_not_own": Sentence(
            "Finito il tallone si rimescolano gli scarti, tranne quelli di chi riceve le carte.",
            "When the stock is empty, the discards are shuffled again, but not those of the player served.",
        ),
        "reshuffle_all_discards": Sentence(
            "Finito il tallone si rimescolano tutti gli scarti.",
            "When the stock is empty, all discards are shuffled again.",
        ),
        "cap": Sentence(
            "Non si cambiano più carte di quante ne restano nel tallone.",
            "Nobody changes more cards than the stock still holds.",
        ),
    },
    "draw.folded_in_pool": {
        True: Sentence(
            "Le mani passate si rimescolano con gli scarti.", "Folded hands are shuffled with the discards."
        ),
        False: Sentence("Le mani passate non si rimescolano.", "Folded hands are not shuffled again."),
    },
    "draw.opener_split": {
        "allowed": Sentence(
            "Chi ha aperto può spezzare l'apertura senza dirlo.",
            "The opener may break the cards that qualified him without a word.",
        ),
        "announce": Sentence(
            "Chi spezza l'apertura lo dichiara, e i suoi scarti restano da parte come prova.",
            "An opener who breaks his opening announces it, and his discards are kept apart as proof.",
        ),
        "forbidden": Sentence(
            "Chi ha aperto non può spezzare l'apertura.", "The opener may not break his opening."
        ),
    },
}
