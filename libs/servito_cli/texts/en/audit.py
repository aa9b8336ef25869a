"""English: `form/audit.py`."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form.audit import AuditTexts
from servito_history.findings import Chain, Kind

AUDIT: Final = AuditTexts(
    whole="{tables} tables, {commits} commits, {payments} movements of money: all is as it was written.",
    broken="{tables} tables, {commits} commits, {payments} movements of money; wrong: {wrong}.",
    wrong="WRONG",
    note="note",
    kinds={
        Kind.CHANGED: "table {table}, {chain}, row {first}: it was changed after it was written",
        Kind.HASH_CHANGED: "table {table}, {chain}, row {first}: its hash was changed",
        Kind.MOVED: "table {table}, {chain}: rows {first} and {last} changed places",
        Kind.MISSING: "table {table}, {chain}: rows {first} to {last} are missing",
        Kind.CUT: "table {table}, {chain}: rows {first} to {last} are missing at the end, by {source}",
        Kind.HEAD_DIFFERS: "table {table}, {chain}, row {first}: it is another one by {source}",
        Kind.GAP: "table {table}, {chain}, row {first}: version {version} was made on a commit that never "
        "came here",
        Kind.BEHIND_STATE: "table {table}: the state server stands on version {version}, which is neither "
        "here (last: {archived}) nor on its way",
        Kind.MONEY_DIFFERS: "table {table}: buy-ins less cash-outs come to {archived} chips here, and to "
        "{carried} by the state server: {difference:+}",
        Kind.PAYMENT_DIFFERS: "table {table}, {chain}, row {first}: here player {player} moved {amount:+} "
        "chips, by the state server {state_player} moved {state_amount:+}",
        Kind.UNREADABLE: "table {table}, {chain}, row {first}: it cannot be read",
        Kind.REWOUND: "table {table}: a failover lost rows {first} to {last}; the table went on with another "
        "version {version}",
        Kind.BEGINS_LATE: "table {table}: its archive begins with version {version}",
        Kind.NO_RECORD: "table {table}, row {first}: of hand {hand} there is no record of the dealer",
        Kind.NOT_HERE: "table {table}: nothing of it is archived yet (version {version})",
    },
    chains={Chain.COMMITS: "commits", Chain.PAYMENTS: "money"},
    sources={"head": "the archive's own note", "noted": "the file of heads"},
    compared="Compared with the state server: every table stands on a commit that is here or on its way, and "
    "its chips came into play and left as is written here.",
    no_state="Not compared with a state server: none is known here.",
    not_compared="Not compared with the state server (--no-state leaves that out): {why}",
    no_servito="what SERVITO_STATE_URL names holds no tables of Servito",
    unknown_table="Nothing of table {table} is in this archive.",
    nowhere="no archive is known: give --history or {variable}, or run `servito up` here ({file})",
    unreadable="The archive cannot be used: {why}",
    heads_unreadable="{file} cannot be read as what `servito audit heads` prints: {why}",
    no_record="The archive has no record of the dealer of hand {hand}.",
    record_written="{file} is written; whoever has the dealer's keys opens it: "
    "`python -m servito_dealer.audit {hand} --record {file}`.",
    migrated="The archive {place} is ready.",
    current="The archive {place} was ready before.",
)
