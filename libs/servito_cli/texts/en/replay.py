"""English: `form/replay.py`."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form.replay import ReplayTexts
from servito_replay.differences import Kind

REPLAY: Final = ReplayTexts(
    heading="Hand {hand_id}, begun {when} (UTC)",
    same="{commits} commits, {events} events: after each the hand is as it was noted when it was played.",
    whole="Every card was looked at: who might open, what each hand was worth and who won were judged anew.",
    open="As everybody may know it: hidden cards, and what they decided, were not looked at.",
    dealer="{cards} cards lay where the dealer's own record has them.",
    runs="  ... and the hand is not over in the archive.",
    lost="{commits} commits of a branch that a failover lost were left out.",
    only_lost="A failover lost all of hand {hand_id}: it was archived, and the table went on from before it.",
    differs="DIFFERENCE at version {version}: {what}",
    differs_at="DIFFERENCE at version {version}, event {event}: {what}",
    kinds={
        Kind.UNREADABLE: "what is stored is no commit",
        Kind.MISPLACED: "it says that it is another version, or of another hand",
        Kind.GAP: "it does not follow the one before",
        Kind.BEGINNING: "the beginning of the hand is not there",
        Kind.RULES: "it was played by rules that are none",
        Kind.NOT_SEALED: "what is hidden was not sealed for the auditor",
        Kind.SEAL: "what was sealed for the auditor does not open, or does not belong there",
        Kind.PARTS: "what everybody is told of it is not what was sealed",
        Kind.EVENT: "this cannot have happened in the hand",
        Kind.DECISION: "the rules make something else of what was done",
        Kind.TO_ACT: "it says that it is another seat's turn",
        Kind.NO_DIGEST: "the state that it led to is not noted",
        Kind.FORM: "the state is noted in a form that this release does not know",
        Kind.SHOWN: "it led to another state than is noted",
        Kind.WHOLE: "it led to another state of the hidden cards than is noted",
        Kind.AFTER: "the hand was over already",
        Kind.DEALER: "the dealer's own record has something else there",
    },
    unknown="There is no hand {hand_id} in the archive.",
    no_id="{hand_id} is no hand: an id is the table's, a hyphen, and the number of the hand.",
    stranger="{player} was not dealt into hand {hand_id}.",
    key_needed="What a player was told takes the auditor's key: --auditor-key FILE.",
    no_archive="No archive is named: --history URL, or SERVITO_HISTORY_URL.",
    unusable="The archive cannot be read: {why}",
    no_key="{file} holds no key of an auditor: {why}",
    no_lines="{file} holds no events: {why}",
    no_deal="{file} is not what the dealer's audit wrote: {why}",
    written="{lines} lines of {commits} commits.",
    broken="Table {table}, {what}. Nothing of it is written from there on.",
    nothing="Nothing in the archive fits what was asked.",
)
