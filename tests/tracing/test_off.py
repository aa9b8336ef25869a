"""Off by default, and then nothing of it is there; a wrong setting is said before anything starts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any
from urllib.request import urlopen

import grpc
import pytest
from prometheus_client.parser import text_string_to_metric_families

from servito_platform.lane import Lane
from servito_platform.settings import ServiceSettings, SettingsError, load_settings_from
from servito_platform.traced import trace_layer, traced_carrier, traced_firm_lane, traced_lane
from tests.platform.echo import SERVICE
from tests.table.processes import first_line

LOADED = """
import sys
import servito_table.main, servito_dealer.main, servito_evaluator.main, servito_timers.main, servito_client
OF_TRACES = ("opentelemetry.sdk.trace", "opentelemetry.exporter", "servito_platform.tracing")
print(sorted(name for name in sys.modules if name.startswith(OF_TRACES)))
"""
WITHOUT = """
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "opentelemetry":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing())
from servito_evaluator.main import main
main()
"""
AWAY = "http://127.0.0.1:9"


def python(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a program prints."""
    return subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_nothing_is_wrapped_and_nothing_loaded() -> None:
    """The very objects that there would be without traces; no module of spans in any service (redis-py
    loads OpenTelemetry for metrics of its own where it is installed).
    """
    lane = Lane("redis://127.0.0.1:1/0", 0.1)
    channel: Any = type("Channel", (), {"stream_stream": lambda *_: None})()
    assert traced_lane(lane, None) is lane
    assert traced_firm_lane(None, None) is None
    assert type(traced_carrier(channel, None, timeout=1, metadata=tuple)).__name__ == "Carrier"
    assert trace_layer(None, follow_players=True) is None
    assert python(LOADED).stdout.strip() == "[]"


def test_without_the_packages_the_setting_is_refused() -> None:
    """With exit code 2, in words that say what to install; without the setting the service starts."""
    refused = python(WITHOUT, SERVITO_TRACES_ENDPOINT="http://127.0.0.1:4317")
    assert refused.returncode == 2
    assert "SERVITO_TRACES_ENDPOINT" in refused.stderr
    assert "pip install 'servito[traces]'" in refused.stderr
    check = [sys.executable, "-c", WITHOUT, "--check"]
    assert json.loads(subprocess.run(check, capture_output=True, check=True).stdout)["errors"] == []


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "127.0.0.1:4317",
        "http://127.0.0.1",
        "http://:4317",
        "http://host:port",
        "http://host:99999",
        "grpc://host:4317",
        "http://host:4317/v1/traces",
        "http://user:secret@host:4317",
    ],
)
def test_an_address_that_is_none_is_refused(wrong: str) -> None:
    """Naming the variable and what is allowed, and not what was given."""
    with pytest.raises(
        SettingsError, match=r"SERVITO_TRACES_ENDPOINT: .*must be http://HOST:PORT"
    ) as refused:
        load_settings_from(ServiceSettings, {"SERVITO_TRACES_ENDPOINT": wrong})
    assert "secret" not in str(refused.value)
    with pytest.raises(SettingsError, match="SERVITO_TRACES_RATIO"):
        load_settings_from(ServiceSettings, {"SERVITO_TRACES_RATIO": "1.5"})


def test_a_collector_that_is_away_is_no_error_of_a_service() -> None:
    """It serves, says once that spans are not taken, counts them, and ends in its time with exit code 0."""
    environment = os.environ | {
        "SERVITO_TRACES_ENDPOINT": AWAY,
        "SERVITO_TRACES_RATIO": "1",
        "SERVITO_DRAIN_SECONDS": "5",
    }
    command = [sys.executable, "-m", "tests.platform.echo"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        ready = json.loads(first_line(process))
        with grpc.insecure_channel(ready["grpc"]) as channel:
            call: Any = channel.unary_unary(f"/{SERVICE}/Unary")
            assert [call(b"hello", timeout=20) for _ in range(20)] == [b"hello"] * 20
        until = time.monotonic() + 20
        while failed(ready["metrics"]) < 20:
            assert time.monotonic() < until
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        _, written = process.communicate(timeout=20)
    assert time.monotonic() - begun < 5
    assert process.returncode == 0
    lines = [json.loads(line) for line in written.splitlines() if line[:1] == b"{"]
    told = [line for line in lines if "traces" in line["event"]]
    assert [(line["event"], line["well"], line["level"]) for line in told] == [
        ("traces_exported", False, "warning")
    ]
    assert not any("opentelemetry" in str(line) for line in lines)


def failed(address: str) -> float:
    """Spans that the collector did not take."""
    with urlopen(f"http://{address}/metrics") as page:
        families = text_string_to_metric_families(page.read().decode())
        return sum(
            sample.value
            for family in families
            for sample in family.samples
            if sample.name == "servito_traces_spans_total" and sample.labels["outcome"] == "failed"
        )
