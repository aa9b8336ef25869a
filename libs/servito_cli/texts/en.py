"""English. Form: `form.py`."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form import StoryTexts, Texts
from servito_client.messages import ActionKind, BlindKind, CheckWord, Outcome, Phase

STORY: Final = StoryTexts(
    seat="seat {seat}",
    ranks={
        2: "from the two up",
        3: "from the three up",
        4: "from the four up",
        5: "from the five up",
        6: "from the six up",
        7: "from the seven up",
        8: "from the eight up",
        9: "from the nine up",
    },
    begins="{table}, hand {number}: {players} players, {cards} cards {ranks}, {opens}",
    opens_any="any hand opens",
    opens_with="{requirement} or better opens",
    opens_draw={
        "straightflush_oe": ", or four to an open-ended straight flush",
        "straight_oe": ", or four to an open-ended straight",
        "straightflush_any4": ", or four to a straight flush",
        "flush4": ", or four of a suit",
    },
    button="{who} has the button",
    carried="; {amount} chips carried from the deal before",
    antes_equal="antes: {amount} each",
    antes_listed="antes: {amounts}",
    antes_live=", live",
    reentry="{who} pays {amount} to play on for the carried pot",
    five_cards="five cards",
    dealt="five cards each",
    one_card="a card",
    some_cards="{count} cards",
    moves={
        ActionKind.ACTION_KIND_PASS: "{who} passes",
        ActionKind.ACTION_KIND_OPEN: "{who} opens with {to}",
        ActionKind.ACTION_KIND_BET: "{who} bets {to}",
        ActionKind.ACTION_KIND_CALL: "{who} calls {to}",
        ActionKind.ACTION_KIND_RAISE: "{who} raises to {to}",
        ActionKind.ACTION_KIND_FOLD: "{who} folds",
        ActionKind.ACTION_KIND_COVER_BLIND: "{who} covers the blind unseen, {to}",
        ActionKind.ACTION_KIND_DECLINE_BLIND: "{who} wants no blind",
    },
    checks={
        CheckWord.CHECK_WORD_UNSPECIFIED: "{who} checks",
        CheckWord.CHECK_WORD_PAROLA: "{who} checks: parola",
        CheckWord.CHECK_WORD_CIP: "{who} checks: cip",
    },
    blinds={
        BlindKind.BLIND_KIND_BLIND: "{who} goes blind for {to}",
        BlindKind.BLIND_KIND_COUNTER_BLIND: "{who} counters the blind for {to}",
        BlindKind.BLIND_KIND_OVER_BLIND: "{who} goes over the blinds for {to}",
    },
    concedes="{who} concedes without showing",
    all_in=", all in",
    pot="   (pot {pot})",
    stands_pat="{who} stands pat: servito",
    throws="{who} throws {cards}",
    gets="{who} gets {cards}",
    owed=", owed beyond three",
    reshuffled=" (after {count} dead cards were shuffled again)",
    phases={
        Phase.PHASE_BLINDS: "blinds",
        Phase.PHASE_DRAW: "the draw",
        Phase.PHASE_SECOND_ROUND: "second round",
        Phase.PHASE_SHOWDOWN: "showdown",
    },
    heading="-- {phase} (pot {pot}) --",
    expired="{who} thinks too long:",
    leaves="{who} leaves the table",
    sits="{who} sits down with {amount}",
    stands="{who} takes {amount} and is gone",
    uncalled="{amount} that nobody called go back to {who}",
    returned="{amount} go back to {who}",
    splits="{who} says that he breaks the cards that opened",
    lays_down="{who} lays down {cards}",
    shows="{who} shows {cards}: {value_it} / {value_en}",
    pot_name="pot",
    side_pot="side pot {index}",
    wins="{who} wins {amount}",
    awarded="{pot} of {amount}: {wins}",
    ends={
        Outcome.OUTCOME_PASSED_OUT: "Nobody opens: {carried} chips stay in the middle",
        Outcome.OUTCOME_CARRIED_OVER: "No bet, no showdown: {carried} chips stay in the middle",
        Outcome.OUTCOME_VOID: "The hand is void: everybody gets his chips back",
    },
    odd_chips="{carried} chips that cannot be shared stay in the middle",
    next_opens="; the next deal needs {requirement}",
)

TEXTS: Final = Texts(story=STORY)
