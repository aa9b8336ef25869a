"""The Celery application: one queue of its own, no results, nothing held back, nothing acknowledged.

A message is only a hint: its deadlines stay in the state server, and a lost message costs one lease. So acks
are not emulated (a worker that holds unacknowledged messages dies when the broker restarts, PITFALLS C5),
and no prefetching worker hoards what another one could do. Changes with expire.py and worker.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from celery import Celery, signals
from celery.app.amqp import AMQP
from kombu import Connection, Queue

from servito_platform.clients import to_sentinels
from servito_platform.place import Mode, Place

QUEUE: Final = "timeouts"


class _QuickConnection(Connection):
    """Tries every second to get back to a broker that went away; Celery would let the pauses grow to 30 s."""

    def ensure_connection(self, *args: Any, **kwargs: Any) -> Any:
        return super().ensure_connection(
            *args, **{"interval_start": 0.5, "interval_step": 0.5, "interval_max": 1.0} | kwargs
        )


class _Amqp(AMQP):
    Connection = _QuickConnection


def new_celery(broker: Place) -> Celery:
    """An application without tasks. `broker`: one server, or a group under Sentinel."""
    # Its logs go where all others go: a receiver of this signal keeps Celery from setting up its own.
    signals.setup_logging.connect(_logs_are_set_up)
    app = Celery("servito_timers", amqp=_Amqp, set_as_current=False, fixups=[])
    app.conf.update(
        broker_url=_broker_url(broker),
        broker_use_ssl=_tls(broker),
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_connection_timeout=1.0,
        broker_heartbeat=0,
        broker_transport_options={
            "ack_emulation": False,
            "socket_timeout": 5.0,
            "socket_connect_timeout": 1.0,
            "socket_keepalive": True,
            "health_check_interval": 5,
            # how long the consumer waits for a message before it looks whether it should stop
            "polling_interval": 0.25,
            # of what kombu retries by itself; the consumer's own attempts go on for ever
            "max_retries": 1,
            "interval_start": 0,
            "interval_step": 0.2,
            "interval_max": 0.2,
            **_of_sentinels(broker),
        },
        task_queues=(Queue(QUEUE),),
        task_default_queue=QUEUE,
        task_ignore_result=True,
        task_send_sent_event=False,
        worker_send_task_events=False,
        worker_enable_remote_control=False,
        worker_prefetch_multiplier=1,
        worker_disable_prefetch=True,
        worker_cancel_long_running_tasks_on_connection_loss=True,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        task_serializer="json",
        accept_content=["json"],
    )
    return app


def _broker_url(broker: Place) -> str:
    """As kombu writes it: a group under Sentinel by the addresses of the Sentinels."""
    if broker.mode is Mode.SINGLE:
        if broker.tls is None:
            return broker.url
        return urlunsplit(urlsplit(broker.url)._replace(scheme="redis", query=""))
    plain = replace(broker, tls=None)
    urls = (plain.node_url(node).replace("redis://", "sentinel://", 1) for node in broker.nodes)
    return ";".join(urls)


def _tls(broker: Place) -> dict[str, Any] | None:
    """As kombu hands it on to redis-py; what it would read from an address itself it reads in part."""
    return None if broker.tls is None else broker.tls.options


def _of_sentinels(broker: Place) -> dict[str, Any]:
    if broker.mode is Mode.SINGLE:
        return {}
    return {"master_name": broker.master, "sentinel_kwargs": to_sentinels(broker, 0.5)}


def _logs_are_set_up(**_: object) -> None:
    """Nothing to do."""
