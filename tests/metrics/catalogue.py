"""The catalogue of metrics, services/METRICS.md: made from what the services register, never by hand.

Here: every process's meters, built on registries of their own, and the closed sets that their labels come
from. `test_catalogue` holds the document to this, `tests/system/test_metrics_pages.py` the pages of the
running services.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final, get_args

import grpc
from prometheus_client import CollectorRegistry
from prometheus_client.metrics import MetricWrapperBase

from servito.calls.v1 import calls_pb2
from servito.dealer.v1 import dealer_pb2
from servito.evaluator.v1 import evaluator_pb2
from servito.table.v1 import table_pb2 as pb
from servito_core.events import Outcome
from servito_dealer.adapters.alarms import Alarm
from servito_dealer.adapters.metrics import Metrics as DealerMetrics
from servito_dealer.app.refusals import Reason
from servito_evaluator.adapters.tally import MetricTally
from servito_evaluator.app.ports import Purpose
from servito_platform.firm import Acknowledgements
from servito_platform.firm import Outcome as Acknowledged
from servito_platform.grpc_metrics import MetricsLayer
from servito_platform.metrics import new_registry
from servito_platform.safety.meters import tell_configuration
from servito_platform.safety.names import Risk, Unsafe
from servito_platform.trace_meters import SpanCounts, SpanOutcome
from servito_table.adapters.meters import Meters
from servito_table.app.counting import EVENTS
from servito_table.app.plan import KINDS as COMMANDS
from servito_table.app.refusals import TableReason
from servito_timers.adapters.drain_metrics import KINDS as ROWS
from servito_timers.adapters.drain_metrics import DrainMetrics
from servito_timers.adapters.looks import Looks
from servito_timers.adapters.metrics import Metrics as TimersMetrics
from servito_timers.app.drain import Failure
from servito_timers.app.look import Round
from servito_timers.app.ports import Result, Route

DOCUMENT: Final = Path("services/METRICS.md")
PROTOCOLS: Final = (pb, dealer_pb2, evaluator_pb2, calls_pb2)


@dataclass(frozen=True)
class Family:
    """A metric: its name as on a page, counters with `_total`."""

    name: str
    kind: str
    labels: tuple[str, ...]
    about: str


def registered(build: Callable[[CollectorRegistry], object]) -> list[Family]:
    """What `build` registers, in the order of the names."""
    registry = CollectorRegistry()
    build(registry)
    return sorted(map(_family, registry._collector_to_names), key=lambda family: family.name)  # no public way


def _family(collector: object) -> Family:
    assert isinstance(collector, MetricWrapperBase)
    [family] = collector.describe()
    name = f"{family.name}_total" if family.type == "counter" else family.name
    return Family(name, family.type, tuple(collector._labelnames), family.documentation)  # no public way


def _timers(registry: CollectorRegistry) -> None:
    DrainMetrics(registry).watch(None, lambda: 0.0)
    TimersMetrics(registry).watch(age=lambda: 0.0, in_flight=lambda: 0, broker_good=lambda: True)
    Looks(registry).watch(lambda: 0.0)


SERVICES: Final[dict[str, list[Family]]] = {
    "table": registered(Meters),
    "dealer": registered(DealerMetrics),
    "evaluator": registered(MetricTally),
    "timers": registered(_timers),
}
"""What each service registers."""
STATE: Final = registered(Acknowledgements)
"""What those tell besides that have something to lose with a state server: table and dealer."""
CALLS: Final = registered(MetricsLayer)
"""What each of their gRPC servers does; the timers have none."""


def _of_process() -> Iterator[Family]:
    registry = new_registry()
    tell_configuration(registry, "development", [Unsafe(Risk.DEV_TOKENS)])
    SpanCounts(registry)
    for family in registry.collect():
        labels = sorted({label for sample in family.samples for label in sample.labels})
        name = f"{family.name}_total" if family.type == "counter" else family.name
        yield Family(name, family.type, tuple(labels), family.documentation)


PROCESS: Final = sorted(_of_process(), key=lambda family: family.name)
"""What every process tells, by the client library and of its configuration and traces."""


def methods() -> dict[str, set[str]]:
    """The methods of our gRPC services, by the full name of the service."""
    return {
        service.full_name: {method.name for method in service.methods}
        for protocol in PROTOCOLS
        for service in protocol.DESCRIPTOR.services_by_name.values()
    }


KINDS: Final = (
    {name.removeprefix("ACTION_KIND_").lower() for name, number in pb.ActionKind.items() if number}
    | {"unreadable"}
    | set(COMMANDS.values())
)
"""What players may ask of a table."""
LABELS: Final[dict[tuple[str, str], tuple[str, set[str]]]] = {
    ("servito_table_actions_total", "kind"): (
        "`unreadable`: an action of no kind",
        KINDS,
    ),
    ("servito_table_actions_total", "outcome"): ("", {"accepted", "repeated", "refused"}),
    ("servito_table_events_total", "event"): ("event of the table itself", set(EVENTS.values())),
    ("servito_table_hands_total", "outcome"): ("as in RULES.md B8", {outcome.value for outcome in Outcome}),
    ("servito_table_refusals_total", "method"): (
        "rpc of TableService; acts of a Play stream count as `Act`",
        methods()["servito.table.v1.TableService"],
    ),
    ("servito_table_refusals_total", "reason"): (
        "RefusalReason of refusal.proto",
        {reason.value for reason in TableReason},
    ),
    ("servito_state_acknowledgements_total", "outcome"): (
        "`no_replica`: fewer are connected than are wanted; `missing`: one that is connected did not say",
        {outcome.value for outcome in Acknowledged},
    ),
    ("servito_table_seals_broken_total", "why"): (
        "`unknown_key`: its key is not given here; `broken`: not what was sealed; `unreadable`: no message",
        {"broken", "unknown_key", "unreadable"},
    ),
    ("servito_table_template_tables_total", "what"): ("", {"opened", "closed"}),
    ("servito_dealer_cards_total", "kind"): ("", {"deal", "draw"}),
    ("servito_dealer_entries_total", "kind"): ("", {"deal", "draw"}),
    ("servito_dealer_alarms_total", "alarm"): (
        "`entropy`: the operating system gives none; `seal`: what is stored does not open",
        {alarm.value for alarm in Alarm},
    ),
    ("servito_dealer_refusals_total", "reason"): ("", {reason.value for reason in Reason}),
    ("servito_evaluator_hands_total", "purpose"): ("", set(get_args(Purpose))),
    ("servito_deadline_claims_total", "route"): ("", {route.value for route in Route}),
    ("servito_deadlines_carried_out_total", "result"): ("", {result.value for result in Result}),
    ("servito_deadlines_carried_out_total", "route"): ("", {route.value for route in Route}),
    ("servito_looks_total", "outcome"): (
        "`wrong`: at some table there is a chip too few or too many",
        {outcome.value for outcome in Round},
    ),
    ("servito_history_rows_total", "kind"): ("", set(ROWS)),
    ("servito_history_failures_total", "what"): (
        "`entry`: not taken by the archive, or not to be read; it waits where it is",
        {failure.value for failure in Failure},
    ),
    ("servito_expire_calls_failed_total", "route"): ("", {route.value for route in Route}),
    ("servito_build_info", "mode"): ("", {"development", "production"}),
    ("servito_build_info", "version"): ("release of Servito", {version("servito")}),
    ("servito_traces_spans_total", "outcome"): (
        "`dropped`: the queue was full, or the process ended; `failed`: the collector did not take them",
        {outcome.value for outcome in SpanOutcome},
    ),
    ("servito_unsafe_configuration", "risk"): ("", {risk.value for risk in Risk}),
    ("grpc_server_*", "grpc_code"): ("", {code.name for code in grpc.StatusCode}),
    ("grpc_server_*", "grpc_method"): ("of that service; `unknown` for all that there are not", set()),
    ("grpc_server_*", "grpc_service"): ("full name; `unknown` for all that there are not", set()),
    ("grpc_server_*", "grpc_type"): ("", {"unary", "server_stream", "client_stream", "bidi_stream"}),
}
"""By metric and label: what it says, and its values; empty where those follow from the protos."""

_HEAD = """<!-- Made by `python -m tests.metrics`; a test fails when it is stale. -->
# Metrics

Every process has a page, `http://<metrics address>/metrics`, where Prometheus reads. Labels come from closed
sets, listed below: there is never a table, a hand, a player or a card in them. Histograms have `_bucket`,
`_sum` and `_count`. Chips in play since the processes started are `servito_table_chips_in_total` less
`servito_table_chips_out_total`, summed over the table processes. Commits are counted by
`servito_table_commit_seconds_count`, time banks as the event `time_bank_used`. What is
stored (`servito_stored_*`) is counted by one of the timers, round after round (SERVITO_TIMERS_LOOK_SECONDS);
the others show 0, so take the greatest.
"""


def document() -> str:
    """The whole document."""
    parts = [_HEAD]
    for service, families in SERVICES.items():
        parts += [f"## {service}\n", _table(families)]
    parts += ["## Acknowledgements by replicas: table, dealer\n", _table(STATE)]
    parts += ["## Every gRPC server: table, dealer, evaluator\n", _table(CALLS)]
    parts += ["## Every process, told by the client library\n", _table(PROCESS)]
    parts += ["## Values of labels\n", "\n".join(_label_rows()) + "\n"]
    return "\n".join(parts)


def _table(families: list[Family]) -> str:
    rows = ["| metric | type | labels | meaning |", "|--|--|--|--|"]
    for family in families:
        labels = ", ".join(f"`{label}`" for label in family.labels)
        rows.append(f"| `{family.name}` | {family.kind} | {labels} | {family.about} |")
    return "\n".join(rows) + "\n"


def _label_rows() -> Iterator[str]:
    yield "| metric | label | values |"
    yield "|--|--|--|"
    for (metric, label), (about, values) in sorted(LABELS.items()):
        told = [about] if about else []
        told += [", ".join(f"`{value}`" for value in sorted(values))] if values else []
        yield f"| `{metric}` | `{label}` | {': '.join(told)} |"
