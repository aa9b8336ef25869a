"""A locust file for those who prefer it; see README.md beside it. `--host HOST:PORT` is the table service.

Each user plays one table for a while, in a spawned process, and reports what its players measured, as
requests by percentile. Players and method are those of `servito_client.load`."""

from __future__ import annotations

import json
import subprocess
import sys

from locust import User, between, events, task

ROUND_SECONDS = 10
_PLAY = """
import dataclasses, json, sys
from servito_client.load.plan import LoadPlan, Pace
from servito_client.load.worker import work
from servito_client.load.tally import Tally

plan = LoadPlan(sys.argv[1], tables=1, players=5, seconds=float(sys.argv[2]), pace=Pace.FAST, ramp_up=0.0)
tally = Tally()
tally.add(work(plan, 0, 1))
waits = {name: [item.value_iterated_to / 1000 for item in getattr(tally, name).get_recorded_iterator()
                for _ in range(item.count_added_in_this_iter_step)] for name in ("answer_us", "event_us")}
print(json.dumps(waits | {"errors": tally.errors + tally.stuck}))
"""


class Table(User):
    """One table with five players."""

    wait_time = between(0, 0.1)

    @task
    def play(self) -> None:
        """Plays a round and reports every latency of it."""
        command = [sys.executable, "-c", _PLAY, str(self.host), str(ROUND_SECONDS)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        measured = json.loads(done.stdout)
        for name, field in (("act to answer", "answer_us"), ("act to others' event", "event_us")):
            for milliseconds in measured[field]:
                events.request.fire(
                    request_type="play",
                    name=name,
                    response_time=milliseconds,
                    response_length=0,
                    exception=None,
                )
        for error in measured["errors"]:
            failure = RuntimeError(error)
            events.request.fire(
                request_type="play", name="error", response_time=0, response_length=0, exception=failure
            )
