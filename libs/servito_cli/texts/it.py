"""Italian. Form: `form.py`."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form import StoryTexts, Texts
from servito_client.messages import ActionKind, BlindKind, CheckWord, Outcome, Phase

STORY: Final = StoryTexts(
    seat="posto {seat}",
    ranks={
        2: "dal due in su",
        3: "dal tre in su",
        4: "dal quattro in su",
        5: "dal cinque in su",
        6: "dal sei in su",
        7: "dal sette in su",
        8: "dall'otto in su",
        9: "dal nove in su",
    },
    begins="{table}, mano {number}: {players} giocatori, {cards} carte {ranks}, {opens}",
    opens_any="si apre con qualsiasi mano",
    opens_with="si apre con {requirement} o meglio",
    opens_draw={
        "straightflush_oe": ", o con quattro carte di scala reale bilaterale",
        "straight_oe": ", o con quattro carte di scala bilaterale",
        "straightflush_any4": ", o con quattro carte di scala reale",
        "flush4": ", o con quattro carte di un seme",
    },
    button="mazziere {who}",
    carried="; {amount} fiches rimaste dalla mano precedente",
    antes_equal="invito: {amount} a testa",
    antes_listed="inviti: {amounts}",
    antes_live=", vivi",
    reentry="{who} paga {amount} per rientrare nel piatto rimasto",
    five_cards="cinque carte",
    dealt="cinque carte a testa",
    one_card="una carta",
    some_cards="{count} carte",
    moves={
        ActionKind.ACTION_KIND_PASS: "{who} passa",
        ActionKind.ACTION_KIND_OPEN: "{who} apre di {to}",
        ActionKind.ACTION_KIND_BET: "{who} punta {to}",
        ActionKind.ACTION_KIND_CALL: "{who} vede {to}",
        ActionKind.ACTION_KIND_RAISE: "{who} rilancia a {to}",
        ActionKind.ACTION_KIND_FOLD: "{who} lascia",
        ActionKind.ACTION_KIND_COVER_BLIND: "{who} copre il buio senza guardare, {to}",
        ActionKind.ACTION_KIND_DECLINE_BLIND: "{who} non fa buio",
    },
    checks={
        CheckWord.CHECK_WORD_UNSPECIFIED: "{who} sta",
        CheckWord.CHECK_WORD_PAROLA: "{who}: parola",
        CheckWord.CHECK_WORD_CIP: "{who}: cip",
    },
    blinds={
        BlindKind.BLIND_KIND_BLIND: "{who} va al buio di {to}",
        BlindKind.BLIND_KIND_COUNTER_BLIND: "{who} fa controbuio di {to}",
        BlindKind.BLIND_KIND_OVER_BLIND: "{who} fa over di {to}",
    },
    concedes="{who} rinuncia senza mostrare",
    all_in=", tutto il resto",
    pot="   (piatto {pot})",
    stands_pat="{who}: servito",
    throws="{who} scarta {cards}",
    gets="{who} riceve {cards}",
    owed=", oltre le tre",
    reshuffled=" (dopo aver rimescolato {count} scarti)",
    phases={
        Phase.PHASE_BLINDS: "bui",
        Phase.PHASE_DRAW: "accomodo",
        Phase.PHASE_SECOND_ROUND: "secondo giro",
        Phase.PHASE_SHOWDOWN: "si scoprono le carte",
    },
    heading="-- {phase} (piatto {pot}) --",
    expired="{who} ci pensa troppo:",
    leaves="{who} lascia il tavolo",
    sits="{who} si siede con {amount}",
    stands="{who} si alza con {amount}",
    uncalled="{amount} che nessuno ha visto tornano a {who}",
    returned="{amount} tornano a {who}",
    splits="{who} dichiara di rompere l'apertura",
    lays_down="{who} scopre {cards}",
    shows="{who} mostra {cards}: {value_it}",
    pot_name="piatto",
    side_pot="piatto secondario {index}",
    wins="{who} vince {amount}",
    awarded="{pot} di {amount}: {wins}",
    ends={
        Outcome.OUTCOME_PASSED_OUT: "Nessuno apre: {carried} fiches restano in mezzo",
        Outcome.OUTCOME_CARRIED_OVER: "Piatto di parola: {carried} fiches restano in mezzo",
        Outcome.OUTCOME_VOID: "La mano è nulla: ognuno riprende le sue fiches",
    },
    odd_chips="{carried} fiches indivisibili restano in mezzo",
    next_opens="; la prossima mano si apre con {requirement}",
)

TEXTS: Final = Texts(story=STORY)
