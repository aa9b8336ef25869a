"""The README of the core says what is: nothing in it is stale, nothing that it names is missing."""

from __future__ import annotations

import re

from tests.core.readme import CORE, NOT_READ, README, option_table, readme


def test_the_generated_parts_are_fresh() -> None:
    """When this fails: `python -m tests.core.readme`, and look at what changed."""
    text = README.read_text()
    assert readme(text) == text
    assert "\n".join(option_table()) in text


def test_every_option_is_read_by_somebody() -> None:
    """Only the named ones are not read by a module of the core, and none of those is."""
    rows = dict(re.findall(r"\| `(.*?)` \| (.*) \|", "\n".join(option_table())))
    assert {key: who for key, who in rows.items() if "`" not in who} == NOT_READ


def test_every_module_that_is_named_exists() -> None:
    """The table of where each rule lives names modules, or what is in them."""
    section = README.read_text().split("## Where each rule lives")[1].split("## Which module")[0]
    named = set(re.findall(r"`([a-z_]+)(?:\.[a-z_]+|/)?`", section))
    assert len(named) > 15
    assert {
        name for name in named if not (CORE / f"{name}.py").exists() and not (CORE / name).is_dir()
    } == set()
