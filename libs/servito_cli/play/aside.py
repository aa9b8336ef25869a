"""What a person may say beside his acts: what he does when his turn comes, and yes or no to other rules.

Pure: from the view that he has, and a key, to what he wants; and the lines that say which keys there are."""

from __future__ import annotations

from servito_cli.play.wishes import Answer, Beforehand
from servito_cli.texts.form.play import PlayTexts
from servito_client.messages import HandView, PreAction, TableView
from servito_client.pre_actions import call_exactly, check_or_fold, may_decide_beforehand, price_of_call


class Aside:
    """His side of one table. The view is asked for anew each time."""

    def __init__(self, texts: PlayTexts) -> None:
        self._texts = texts

    def key(self, view: TableView, key: str) -> Beforehand | Answer | None:
        """What the key means now, if anything."""
        return self._beforehand(view, key) or self._answer(view, key)

    def still(self, view: TableView, wish: Beforehand) -> Beforehand | None:
        """The same wish in the moment of now, if it means the same: others have acted since it was made."""
        fits = wish.wanted is None or wish.wanted in (wanted for _, wanted in self._choices(view).values())
        if not fits or not may_decide_beforehand(view) or view.hand.hand_id != wish.moment.hand.hand_id:
            return None
        return Beforehand(_moment(view), wish.wanted)

    def beforehand_line(self, view: TableView) -> str:
        """What he may decide before his turn, and what he decided; empty where he may not."""
        if not may_decide_beforehand(view):
            return ""
        own = view.hand.own
        parts = []
        for key, (words, wanted) in self._choices(view).items():
            chosen = own.HasField("pre_action") and own.pre_action == wanted
            mark = self._texts.chosen_beforehand if chosen else ""
            parts.append(f"[{key}] {words}{mark}")
        return self._texts.beforehand.format(choices="   ".join(parts))

    def proposal_line(self, view: TableView) -> str:
        """What is proposed, and what he may answer; empty where nothing is."""
        if not view.HasField("proposal") or not view.HasField("own_seat"):
            return ""
        proposal = view.proposal
        changes = ", ".join(f"{c.option} {c.before} -> {c.after}" for c in proposal.changes)
        if proposal.accepted:
            return self._texts.rules_to_come.format(rules=changes)
        text = self._texts.agreed if view.own_seat in proposal.agreed else self._texts.asked
        return text.format(
            agree=self._texts.agree, refuse=self._texts.refuse, who=proposal.player, rules=changes
        )

    def _choices(self, view: TableView) -> dict[str, tuple[str, PreAction]]:
        key, words = self._texts.check_or_fold
        choices = {key: (words, check_or_fold())}
        if price := price_of_call(view):
            key, words = self._texts.call_beforehand
            choices[key] = (words.format(amount=price), call_exactly(price))
        return choices

    def _beforehand(self, view: TableView, key: str) -> Beforehand | None:
        chosen = self._choices(view).get(key) if may_decide_beforehand(view) else None
        if chosen is None:
            return None
        wanted = chosen[1]
        own = view.hand.own
        taken_back = own.HasField("pre_action") and own.pre_action == wanted
        return Beforehand(_moment(view), None if taken_back else wanted)

    def _answer(self, view: TableView, key: str) -> Answer | None:
        if not view.HasField("proposal") or view.proposal.accepted or not view.HasField("own_seat"):
            return None
        proposal = view.proposal
        if key == self._texts.refuse:
            return Answer(proposal.proposal_id, agree=False)
        if key == self._texts.agree and view.own_seat not in proposal.agreed:
            return Answer(proposal.proposal_id, agree=True)
        return None


def _moment(view: TableView) -> TableView:
    """Which table, hand and turn that is; the view itself goes on."""
    hand = HandView(hand_id=view.hand.hand_id, turn_id=view.hand.turn_id)
    return TableView(table_id=view.table_id, hand=hand)
