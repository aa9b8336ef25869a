"""`servito rules`: presets named, told and compared, in one language or both."""

from __future__ import annotations

import pytest

from servito_core.rules import OPTIONS, PRESETS, preset
from tests.cli.test_commands import servito


def test_list_names_every_preset() -> None:
    """With a sentence in each language, or in the one asked for."""
    both, english = (
        servito("rules", "list").stdout.splitlines(),
        servito("rules", "list", "--lang", "en").stdout,
    )
    assert [line.split()[0] for line in both[::2]] == list(PRESETS)
    assert [line.split()[0] for line in english.splitlines()] == list(PRESETS)
    assert "fanti" in both[0]
    assert "jacks" in both[1]
    assert "fanti" not in english


def test_show_tells_every_rule_and_marks_the_differences() -> None:
    """Every option with its value, in the language asked for."""
    done = servito("rules", "show", "classico", "--lang", "it")
    lines = done.stdout.splitlines()
    told = {line[2:].split(" = ")[0]: line for line in lines if " = " in line}
    assert set(told) == {option.key for option in OPTIONS}
    assert {key for key, line in told.items() if line.startswith("*")} == set(
        preset("classico").differences()
    )
    assert "* blind.depth = 2" in lines
    after = lines[lines.index("* parola.mode = carry_over") + 1]
    assert after.startswith("    Se tutti dicono parola è piatto di parola")
    assert "Under these rules" not in done.stdout
    assert "Senza effetto con queste regole" in lines


def test_diff_tells_what_differs() -> None:
    """Both values with their meaning; nothing for a preset and itself."""
    done = servito("rules", "diff", "italiana", "sala", "--lang", "en")
    assert done.stdout.splitlines() == [
        "italiana  raise.min = unit",
        "    A raise is at least as large as the least bet.",
        "sala      raise.min = last_increment",
        "    A raise is at least as large as the largest bet or raise of the round.",
        "italiana  bet.reopen = any_raise",
        "    An all-in raise that is too small lets everybody raise again.",
        "sala      bet.reopen = full_raise_only",
        "    After an all-in raise that is too small, whoever has acted may only call or fold.",
    ]
    assert servito("rules", "diff", "sala", "sala").stdout == "sala and sala do not differ.\n"


@pytest.mark.parametrize("words", [["show", "texas"], ["diff", "italiana", "texas"]])
def test_an_unknown_preset_is_named_with_those_that_exist(words: list[str]) -> None:
    """Exit code 2, on standard error."""
    done = servito("rules", *words)
    assert "texas is no preset: one of italiana, accomodo" in done.stderr
    assert done.returncode == 2
