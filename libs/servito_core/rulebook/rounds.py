"""The rules of second round and blinds in words: one sentence for each value (`RULES.md B5, B6`)."""

from __future__ import annotations

from servito_core.rulebook.sentence import Sentence, Sentences

SECOND_ROUND: Sentences = {
    "round2.first": {
        "opener": Sentence(
            "Dopo il cambio parla per primo chi ha aperto.", "After the draw the opener speaks first."
        ),
        "last_aggressor": Sentence(
            "Dopo il cambio parla per primo chi ha puntato o rilanciato per ultimo.",
            "After the draw the last player who bet or raised speaks first.",
        ),
        "left_of_dealer": Sentence(
            "Dopo il cambio parla per primo chi sta alla sinistra del mazziere.",
            "After the draw the player left of the button speaks first.",
        ),
    },
    "parola.mode": {
        "showdown": Sentence(
            "Se tutti dicono parola si scoprono le carte.", "If nobody bets, the hands are shown."
        ),
        "carry_over": Sentence(
            "Se tutti dicono parola è piatto di parola: nessun confronto, il piatto resta per la mano dopo.",
            "If nobody bets, there is no showdown: the pot stays for the next hand.",
        ),
        "carry_over_if_all_parola": Sentence(
            "Se tutti dicono parola il piatto resta per la mano dopo; un solo cip porta al confronto.",
            'If everybody says "parola" the pot stays for the next hand; one "cip" means a showdown.',
        ),
    },
    "parola.reentry": {
        "free": Sentence(
            "Dopo un piatto di parola giocano tutti con l'invito.",
            "After a carried-over pot everybody plays for the ante.",
        ),
        "pay_difference": Sentence(
            "Dopo un piatto di parola chi era passato rientra pagando la differenza.",
            "After a carried-over pot whoever had folded comes back by paying the difference.",
        ),
        "only_survivors": Sentence(
            "Dopo un piatto di parola gioca solo chi non era passato.",
            "After a carried-over pot only those who had not folded play.",
        ),
    },
    "parola.next_requirement": {
        "unchanged": Sentence(
            "Dopo un piatto di parola il minimo per aprire resta lo stesso.",
            "After a carried-over pot the requirement stays the same.",
        ),
        "KK": Sentence(
            "Dopo un piatto di parola servono i re per aprire.",
            "After a carried-over pot kings are needed to open.",
        ),
    },
    "parola.next_blind": {
        "allowed": Sentence(
            "Dopo un piatto di parola il buio è ammesso.", "After a carried-over pot a blind may be posted."
        ),
        "forbidden": Sentence(
            "Dopo un piatto di parola il buio non è ammesso.",
            "After a carried-over pot no blind may be posted.",
        ),
    },
}

BLINDS: Sentences = {
    "blind.depth": {
        0: Sentence("Non si gioca al buio.", "There are no blinds."),
        1: Sentence(
            "Chi sta alla sinistra del mazziere può fare un buio prima delle carte.",
            "The player left of the button may post a blind before the deal.",
        ),
        2: Sentence(
            "Prima delle carte si può fare un buio, e il giocatore dopo un controbuio.",
            "Before the deal a blind may be posted, and a counter-blind by the next player.",
        ),
        3: Sentence(
            "Prima delle carte si possono fare buio, controbuio e over.",
            "Before the deal a blind, a counter-blind and an over-blind may be posted.",
        ),
    },
    "blind.amount": {
        "double_pot": Sentence("Il buio è il doppio del piatto.", "The blind is twice the pot."),
        "equal_pot": Sentence("Il buio è quanto il piatto.", "The blind is as large as the pot."),
        "double_ante": Sentence("Il buio è il doppio dell'invito.", "The blind is twice the ante."),
    },
    "counter_blind.amount": {
        "double_previous": Sentence(
            "Il controbuio è il doppio del buio.", "The counter-blind is twice the blind."
        ),
        "double_pot": Sentence(
            "Il controbuio è il doppio del piatto.", "The counter-blind is twice the pot."
        ),
    },
    "over_blind.amount": {
        "double_previous": Sentence(
            "L'over è il doppio del controbuio.", "The over-blind is twice the counter-blind."
        ),
    },
    "blind.cover_right": {
        "exclusive": Sentence(
            "Il primo che copre al buio ha il diritto di rilanciare per primo e parlare per ultimo; "
            "se nessuno copre, l'ultimo al buio.",
            "The first who covers unseen has the right to raise first and speak last; "
            "if nobody covers, the last blind player.",
        ),
        "shared": Sentence(
            "Ogni giocatore al buio che ha coperto può rilanciare; parla per ultimo il primo che ha coperto.",
            "Every blind player who is level may raise; the first who covered unseen speaks last.",
        ),
        "never": Sentence(
            "Il diritto di rilanciare per primo e parlare per ultimo resta all'ultimo che ha fatto buio.",
            "The right to raise first and speak last stays with the last blind player.",
        ),
    },
}
