"""State server and broker: memory, replicas, what is kept, what they do."""

from __future__ import annotations

from typing import Final

from deploy.observability.source.parts import Board, Row, Unit, by, lines, number, quantile, rate

_ALL: Final = '{job="servito-servers"}'
_STATE: Final = '{job="servito-servers",server="state"}'
_PROCESSOR: Final = " + ".join(rate(f"redis_cpu_{mode}_seconds_total{_ALL}") for mode in ("user", "sys"))

BOARD: Final = Board(
    "Servito: state servers",
    "State server and broker, as the exporter tells of them, and what the services hear of replicas.",
    (
        Row(
            "Now",
            (
                number("Answer", "Servers of state and broker.", f"sum(redis_up{_ALL})"),
                number(
                    "Memory",
                    "The fullest, of what it may use. Nothing is evicted: full is refused.",
                    "max(servito:server_memory:ratio)",
                    Unit.RATIO,
                    bad=0.75,
                ),
                number("Replicas of the state", "Connected.", f"sum(redis_connected_slaves{_STATE})"),
                number(
                    "Written to disk",
                    "Whether the append-only file of the state could be written.",
                    f"min(redis_aof_last_write_status{_STATE})",
                    Unit.YES_NO,
                ),
                number(
                    "Not acknowledged",
                    "Writes of money and seals in a second.",
                    'sum(rate(servito_state_acknowledgements_total{outcome!="acknowledged"}[5m]))',
                    Unit.PER_SECOND,
                    bad=0.001,
                ),
                number(
                    "Evicted", "Keys thrown away. Must be 0.", f"sum(redis_evicted_keys_total{_ALL})", bad=1
                ),
            ),
        ),
        Row(
            "Memory and disk",
            (
                lines(
                    "Memory",
                    "Used, and the bound.",
                    Unit.BYTES,
                    (f"redis_memory_used_bytes{_ALL}", "{{server}} {{instance}}"),
                    (f"redis_memory_max_bytes{_ALL} > 0", "bound, {{server}} {{instance}}"),
                ),
                lines(
                    "Of what may be used",
                    "Alerts begin at 75 %.",
                    Unit.RATIO,
                    ("servito:server_memory:ratio", "{{server}} {{instance}}"),
                    bad=0.75,
                ),
                lines(
                    "Append-only file",
                    "Grows until it is rewritten.",
                    Unit.BYTES,
                    (f"redis_aof_current_size_bytes{_STATE}", "{{instance}}"),
                ),
                lines(
                    "Keys",
                    "Of the state's database.",
                    Unit.NUMBER,
                    ('redis_db_keys{job="servito-servers",db="db0"}', "{{server}} {{instance}}"),
                ),
            ),
        ),
        Row(
            "Replicas",
            (
                lines(
                    "Behind, in seconds",
                    "Since each replica last said something.",
                    Unit.SECONDS,
                    (f"redis_connected_slave_lag_seconds{_STATE}", "{{slave_ip}}:{{slave_port}}"),
                    bad=10,
                ),
                lines(
                    "Behind, in bytes",
                    "Changes that a failover to it would lose.",
                    Unit.BYTES,
                    ("servito:replica_behind:bytes", "{{slave_ip}}:{{slave_port}}"),
                    bad=1_000_000,
                ),
                lines(
                    "Acknowledgements",
                    "Rounds of writes of money and seals, by what came of them.",
                    Unit.PER_SECOND,
                    (by("outcome", "servito_state_acknowledgements_total"), "{{outcome}}"),
                ),
                lines(
                    "An acknowledgement takes",
                    "A buy-in and a hand's seal wait for it.",
                    Unit.SECONDS,
                    (quantile(50, "servito_state_acknowledgement_seconds"), "p50"),
                    (quantile(99, "servito_state_acknowledgement_seconds"), "p99"),
                ),
                lines(
                    "Tables that lost commits",
                    "Found after a failover.",
                    Unit.PER_SECOND,
                    (f"sum({rate('servito_table_rewinds_total')})", "rewound"),
                ),
            ),
        ),
        Row(
            "Work",
            (
                lines(
                    "Commands",
                    "In a second.",
                    Unit.PER_SECOND,
                    (rate(f"redis_commands_processed_total{_ALL}"), "{{server}} {{instance}}"),
                ),
                lines(
                    "Processor",
                    "1: a whole one. A server runs on one.",
                    Unit.NUMBER,
                    (
                        _PROCESSOR,
                        "{{server}} {{instance}}",
                    ),
                    bad=0.8,
                ),
                lines(
                    "Time by command",
                    "Of a second; scripts are evalsha or fcall.",
                    Unit.NUMBER,
                    (f"sum by (cmd) ({rate(f'redis_commands_duration_seconds_total{_STATE}')})", "{{cmd}}"),
                ),
                lines(
                    "Clients",
                    "Connected.",
                    Unit.NUMBER,
                    (f"redis_connected_clients{_ALL}", "{{server}} {{instance}}"),
                ),
                lines(
                    "Network",
                    "In and out.",
                    Unit.BYTES_PER_SECOND,
                    (rate(f"redis_net_input_bytes_total{_ALL}"), "in, {{server}} {{instance}}"),
                    (rate(f"redis_net_output_bytes_total{_ALL}"), "out, {{server}} {{instance}}"),
                ),
                lines(
                    "Slow commands",
                    "In the server's log of slow ones.",
                    Unit.NUMBER,
                    (f"redis_slowlog_length{_ALL}", "{{server}} {{instance}}"),
                ),
            ),
        ),
    ),
)
