"""The `servito` command: what may be typed, and where it goes.

Here: names, options and their help. Each command imports what it needs when it is called, so that `servito
--help` is quick. Not here: work and printing (the modules named by the commands)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from servito_cli import main_audit, main_hands, main_operate, main_tables, main_tokens
from servito_cli.operate.kind import Overrides
from servito_cli.rules import rules

app = typer.Typer(
    name="servito",
    help="Poker all'italiana: run the whole back end on this machine, play hands, check rules.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(main_hands.hand, name="hand")
app.add_typer(main_audit.audit, name="audit")
app.add_typer(rules, name="rules")
app.add_typer(main_tokens.token, name="token")


@app.command()
def up(
    data: Annotated[
        Path,
        typer.Option(
            help="Directory of state, logs and keys; made where there is none.", parser=main_operate.directory
        ),
    ] = Path(".servito"),
    port: Annotated[
        list[str] | None,
        typer.Option(metavar="PART=PORT", help="A fixed port: table=50051, table-metrics=9100 ..."),
    ] = None,
    replicas: Annotated[
        list[str] | None, typer.Option(metavar="SERVICE=N", help="Processes of a service: table=2 ...")
    ] = None,
) -> None:
    """Run the whole system on this machine until Ctrl-C, and say where each part is."""
    from servito_cli.up import run_up

    raise typer.Exit(run_up(data, port or [], replicas or []))


@app.command()
def demo(
    tables: Annotated[int, typer.Option(min=1, max=64, help="Tables at once.")] = 4,
    hands: Annotated[int, typer.Option(min=1, max=1_000_000, help="Hands to play, in all.")] = 200,
    players: Annotated[int, typer.Option(min=2, max=10, help="Bots at each table.")] = 4,
    preset: Annotated[str, typer.Option(help="Rules to play; `servito rules list` names them.")] = "italiana",
    option: Overrides = None,
    seed: Annotated[int, typer.Option(help="What the bots do; the cards are drawn anew each time.")] = 1,
    lang: Annotated[Literal["en", "it"], typer.Option(help="Language of the told hands.")] = "en",
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file.")] = None,
) -> None:
    """Start the whole system, let bots play, tell a few hands, count every chip.

    Exits with another code than 0 if a chip is missing, a hand is stuck or an error happened.
    """
    from servito_cli.demo.at_table import GREATEST_BUY_IN
    from servito_cli.demo.command import run_demo
    from servito_cli.demo.playing import Plan
    from servito_cli.rules_given import rules_for
    from servito_cli.texts import Language

    try:
        rules = rules_for(preset, option or [], players, GREATEST_BUY_IN)
        plan = Plan(tables, hands, players, seed, rules, Language(lang))
    except ValueError as wrong:
        raise typer.BadParameter(str(wrong)) from wrong
    raise typer.Exit(run_demo(plan, json))


@app.command()
def compare(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Comparisons: hands, rules, who wins.")],
) -> None:
    """Judge the comparisons of a file: a line for each, the first difference of a failing one."""
    from servito_cli.checks import run_comparisons

    raise typer.Exit(run_comparisons(file))


@app.command("eval")
def evaluate(
    hands: Annotated[
        list[str], typer.Argument(metavar="HAND...", help="Five cards each: 'Ah Kd Qc Js 9h' or AhKdQcJs9h.")
    ],
    players: Annotated[
        int | None,
        typer.Option(
            min=2, max=10, help="Players dealt in, which decides the deck; else as few as fit the hands."
        ),
    ] = None,
) -> None:
    """Name hands in Italian and English, and say who wins."""
    from servito_cli.evaluate import run_eval

    raise typer.Exit(run_eval(hands, players))


@app.command()
def odds(
    cards: Annotated[
        str, typer.Argument(metavar="HAND", help="Your five cards: 'As Ad 9c 8h 7s' or AsAd9c8h7s.")
    ],
    keep: Annotated[
        str | None,
        typer.Option(metavar="CARDS", help="What you keep of them, '' for nothing: counts the draw."),
    ] = None,
    dead: Annotated[
        str, typer.Option(metavar="CARDS", help="Other cards that you know to be out of reach.")
    ] = "",
    players: Annotated[
        int | None,
        typer.Option(
            min=2, max=10, help="Players dealt in, which decides the deck; else as few as fit the cards."
        ),
    ] = None,
    opponents: Annotated[
        int | None, typer.Option(min=0, max=9, help="Opponents that may open; else all other players.")
    ] = None,
    opens: Annotated[
        str | None, typer.Option(metavar="XX", help="JJ, QQ, KK or AA; else what the rules ask for first.")
    ] = None,
    preset: Annotated[str, typer.Option(help="The rules: see `servito rules list`.")] = "italiana",
    evaluator: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            callback=main_tables.target_typed,
            help="Ask this one instead of starting an evaluator.",
        ),
    ] = None,
) -> None:
    """Count, exactly, what a draw may bring and how likely an opponent holds what opens."""
    from servito_cli.odds import Asked, run_odds

    raise typer.Exit(run_odds(Asked(cards, keep, dead, players, opponents, opens, preset, evaluator)))


main_tables.register(app)
main_hands.register(app)
main_operate.register(app)
