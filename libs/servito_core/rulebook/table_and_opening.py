"""The rules of table, deck, ante and opening in words: one sentence for each value (`RULES.md B1, B2`)."""

from __future__ import annotations

from servito_core.naming import RANK_NAMES
from servito_core.rulebook.sentence import ANY_NUMBER, Sentence, Sentences

TABLE: Sentences = {
    "players.max": {
        ANY_NUMBER: Sentence("Ricevono carte al massimo {n} giocatori.", "At most {n} players are dealt in."),
    },
    "players.ten": {
        "dealer_sits_out": Sentence(
            "In dieci il mazziere non riceve carte e non mette l'invito.",
            "With ten players the button gets no cards and pays no ante.",
        ),
        "all_play": Sentence(
            "In dieci giocano tutti; se altro non c'è, a chi cambia tornano anche i suoi scarti.",
            "With ten players all play; if nothing else is left, a player's own discards come back to him.",
        ),
    },
    "deck": {
        "eleven_minus_n": Sentence(
            "La carta più bassa del mazzo è undici meno il numero dei giocatori, mai sotto il due.",
            "The lowest card of the deck is eleven minus the number of players, never below the two.",
        ),
        "full52": Sentence("Si gioca sempre con tutte le 52 carte.", "All 52 cards are always in play."),
        "fixed": Sentence(
            "Il mazzo è sempre lo stesso, qualunque sia il numero dei giocatori.",
            "The deck is the same whatever the number of players.",
        ),
    },
    "deck.lowest": {
        None: Sentence("La carta più bassa non è fissata.", "No lowest card is fixed."),
        **{
            str(rank): Sentence(
                f"Il mazzo scende fino {RANK_NAMES[rank].up_to_it}.",
                f"The deck goes down to the {RANK_NAMES[rank].one}.",
            )
            for rank in range(2, 10)
        },
    },
    "deck.players": {
        "dealt_in": Sentence(
            "Per il mazzo contano i giocatori che ricevono carte in questa mano.",
            "The deck is for the players who are dealt into the hand.",
        ),
        "seated": Sentence(
            "Per il mazzo contano tutti i giocatori seduti, anche chi salta la mano.",
            "The deck is for all seated players, also those who sit the hand out.",
        ),
        "at_creation": Sentence(
            "Il mazzo resta quello della prima mano; se poi non basta per tutti, si aspetta a turno.",
            "The deck stays that of the first hand; when it is too small for all, players wait in turn.",
        ),
    },
    "ante": {
        ANY_NUMBER: Sentence("L'invito di un giocatore è {n}.", "The ante of one player is {n}."),
    },
    "ante.scheme": {
        "all_equal": Sentence("Tutti mettono lo stesso invito.", "Everybody pays the same ante."),
        "dealer_double": Sentence(
            "Il mazziere mette un invito doppio.", "The button pays twice the ante of the others."
        ),
        "dealer_only": Sentence("Solo il mazziere mette l'invito.", "Only the button pays an ante."),
    },
    "ante.live": {
        False: Sentence(
            "L'invito è morto: non conta come puntata.", "The ante is dead money: it is not part of a bet."
        ),
        True: Sentence(
            "L'invito conta come puntata del primo giro: chi ha messo meno deve pareggiare.",
            "The ante counts as a bet of the first round: whoever paid less has to level it.",
        ),
    },
    "ante.short": {
        "all_in": Sentence(
            "Chi ha meno dell'invito gioca con il suo resto, per la parte di piatto che ha pagato.",
            "Whoever has less than the ante plays all-in for the part of the pot that he paid.",
        ),
        "sit_out": Sentence(
            "Chi ha meno dell'invito non riceve carte.", "Whoever has less than the ante is not dealt in."
        ),
        "rebuy": Sentence(
            "A chi ha meno dell'invito si chiede di ricomprare; prima non riceve carte.",
            "Whoever has less than the ante is asked to buy in again and not dealt in before.",
        ),
    },
    "button.next": {
        "every_deal": Sentence(
            "Il mazziere cambia a ogni mano, in senso orario.", "The button moves clockwise after every hand."
        ),
        "same_after_passout": Sentence(
            "Il mazziere cambia a ogni mano, ma resta lo stesso dopo una mano non aperta.",
            "The button moves after every hand, but stays after a passed-out one.",
        ),
    },
}


def _at_least(it: str, en: str) -> Sentence:
    return Sentence(
        f"Per aprire serve almeno una coppia di {it}; da doppia coppia in su si apre sempre.",
        f"A pair of {en} at least is needed to open; two pair and better always open.",
    )


OPENING: Sentences = {
    "open.requirement": {
        "JJ": _at_least("fanti", "jacks"),
        "QQ": _at_least("donne", "queens"),
        "KK": _at_least("re", "kings"),
        "AA": _at_least("assi", "aces"),
        "none": Sentence(
            "Per aprire non serve nulla: il primo giro è un giro di puntate come l'altro.",
            "Nothing is needed to open: the first round is a betting round like the other.",
        ),
    },
    "open.draw": {
        "none": Sentence("Nessun progetto permette di aprire.", "No draw opens."),
        "straightflush_oe": Sentence(
            "Apre anche un progetto di scala reale bilaterale.",
            "An open-ended straight flush draw opens too.",
        ),
        "straight_oe": Sentence(
            "Apre anche un progetto di scala bilaterale.", "An open-ended straight draw opens too."
        ),
        "straightflush_any4": Sentence(
            "Aprono anche quattro carte di una scala reale qualsiasi.",
            "Four cards of any straight flush open too.",
        ),
        "flush4": Sentence(
            "Aprono anche quattro carte dello stesso seme.", "Four cards of one suit open too."
        ),
    },
    "open.draw_in_raised_deals": {
        True: Sentence(
            "Il progetto apre anche quando il minimo per aprire è salito.",
            "The draw opens also when the requirement has risen.",
        ),
        False: Sentence(
            "Il progetto non apre quando il minimo per aprire è salito.",
            "The draw does not open when the requirement has risen.",
        ),
    },
    "open.obliged": {
        False: Sentence("Chi può aprire può anche passare.", "Whoever can open may pass all the same."),
        True: Sentence("Chi può aprire deve aprire.", "Whoever can open has to open."),
    },
    "open.pass": {
        "stays_in": Sentence(
            "Chi passa prima dell'apertura resta in gioco.", "A pass before the opening is not a fold."
        ),
        "is_out": Sentence(
            "Chi passa è fuori dalla mano, se dopo qualcuno apre.",
            "Whoever passes is out of the hand, if somebody opens afterwards.",
        ),
    },
    "open.proof": {
        "none": Sentence(
            "Chi ha aperto e vince senza confronto non mostra nulla.",
            "An opener who wins without a showdown shows nothing.",
        ),
        "show_on_uncalled_win": Sentence(
            "Chi ha aperto e vince senza confronto mostra le carte con cui ha aperto.",
            "An opener who wins without a showdown shows the cards with which he opened.",
        ),
    },
    "passout.escalation": {
        "none": Sentence(
            "Dopo una mano non aperta il minimo per aprire resta lo stesso.",
            "After a passed-out hand the requirement stays the same.",
        ),
        "QQ_only": Sentence(
            "Dopo una mano non aperta servono le donne, e lì si resta.",
            "After a passed-out hand queens are needed, and no more than that.",
        ),
        "QQ_KK_stay": Sentence(
            "A ogni mano non aperta il minimo sale: donne, poi re, e lì resta.",
            "With every passed-out hand the requirement rises: queens, then kings, where it stays.",
        ),
        "QQ_KK_AA_stay": Sentence(
            "A ogni mano non aperta il minimo sale: donne, re, poi assi, e lì resta.",
            "With every passed-out hand the requirement rises: queens, kings, then aces, where it stays.",
        ),
        "cycle_JQK": Sentence(
            "A ogni mano non aperta il minimo sale: donne, re, poi si ricomincia dai fanti.",
            "With every passed-out hand the requirement rises: queens, kings, then jacks again.",
        ),
        "cycle_JQKA": Sentence(
            "A ogni mano non aperta il minimo sale: donne, re, assi, poi si ricomincia dai fanti.",
            "With every passed-out hand the requirement rises: queens, kings, aces, then jacks again.",
        ),
    },
    "passout.reset": {
        "pot_awarded": Sentence(
            "Il minimo torna quello iniziale quando il piatto è vinto.",
            "The requirement falls back when the pot is won.",
        ),
        "on_open": Sentence(
            "Il minimo torna quello iniziale appena qualcuno apre, o quando il piatto è vinto.",
            "The requirement falls back as soon as somebody opens, or when the pot is won.",
        ),
    },
    "passout.reante": {
        "all": Sentence(
            "Dopo una mano non aperta il piatto resta e tutti rimettono l'invito.",
            "After a passed-out hand the pot stays and everybody pays the ante again.",
        ),
        "none": Sentence(
            "Dopo una mano non aperta il piatto resta e non si rimette l'invito.",
            "After a passed-out hand the pot stays and no new ante is paid.",
        ),
    },
    "passout.blind": {
        "allowed": Sentence(
            "Il buio è ammesso anche quando il minimo per aprire è salito.",
            "A blind may be posted also when the requirement has risen.",
        ),
        "only_first_level": Sentence(
            "Il buio è ammesso solo con il minimo iniziale.",
            "A blind may be posted only while the requirement has not risen.",
        ),
    },
}
