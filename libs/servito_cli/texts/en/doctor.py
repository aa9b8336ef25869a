"""English: `form/doctor.py`. The risks are worded where they are listed."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form.doctor import DoctorTexts, Said
from servito_local.doctor.findings import Check, Kind
from servito_platform.safety.names import INWARD, OUTWARD, WORDS

DOCTOR: Final = DoctorTexts(
    checks={
        Check.SETTINGS: "settings, as {number} services read them",
        Check.STATE: "state server, {number} that write",
        Check.BROKER: "broker, {number} that write",
        Check.KEEPING: "what {number} servers keep, and what they would throw away",
        Check.MEMORY: "memory of {number} servers",
        Check.REPLICAS: "replicas of {number} state servers",
        Check.CLOCKS: "clocks of {number} servers",
        Check.SWEEPS: "sweeps of {number} partitions",
        Check.DEADLINES: "{number} deadlines",
        Check.CHIPS: "chips of {number} tables against the money journal",
        Check.HANDS: "{number} running hands",
        Check.HISTORY: "what waits for the archive in {number} partitions",
        Check.OPENING: "{number} tables, as the table service opens them",
        Check.SERVICES: "{number} processes of the services",
    },
    not_made="could not be looked at",
    well="well",
    note="note",
    warning="look",
    wrong="WRONG",
    all_well="All is well.",
    sum_up="Wrong: {wrong}. To be looked at: {warnings}.",
    kinds={
        Kind.DEVELOPMENT: Said(
            "The services run in development mode, with {risks}.",
            "They trust everybody who reaches them.",
            "For players of your own set SERVITO_MODE=production: it names what is missing.",
        ),
        Kind.SETTING_WRONG: Said(
            "A setting cannot be used by the {service}: {told}.",
            "The service does not start with it.",
            "Give one of the allowed values.",
        ),
        Kind.SETTING_UNKNOWN: Said(
            "No service knows {variable}.",
            "It does nothing, and whoever set it believes that it does.",
            "Remove it, or find its name in the list of settings.",
        ),
        Kind.SETTING_MISSPELT: Said(
            "No service knows {variable}; perhaps {meant} is meant.",
            "It does nothing, and the setting that was meant has its default.",
            "Call it {meant}.",
        ),
        Kind.SETTING_ELSEWHERE: Said(
            "{variable} is not given here, and the {service} needs it.",
            "It could not be looked at; only the {service} should have it.",
            "Nothing, if it is given where the {service} runs.",
        ),
        Kind.UNREACHABLE: Said(
            "The {server} does not answer ({error}).",
            "Nobody can play while the state server is away; without a broker the timers work directly.",
            "Start it, and look at its address and at the network between.",
        ),
        Kind.LOCKED_OUT: Said(
            "The {server} does not let us in ({error}).",
            "No service with this address can work.",
            "Put the right user and password into the address, or give the user the rights to read.",
        ),
        Kind.LOADING: Said(
            "The {server} is still loading what it had written.",
            "It answers nobody until it is done.",
            "Wait; if it is always starting, look why it stops.",
        ),
        Kind.OTHER_KIND: Said(
            "The {server} is run as {found}, and the address says {wanted}.",
            "The services speak to it in the wrong way, and fail now or at the next failover.",
            "Write the address in the form of what it is: redis://, redis+sentinel:// or redis+cluster://.",
        ),
        Kind.NOT_PRIMARY: Said(
            "The {server} is a replica.",
            "It takes no writes: nobody can play.",
            "Name the primary, or the Sentinels that know it (redis+sentinel://).",
        ),
        Kind.CLUSTER_BROKEN: Said(
            "The Cluster is in state {state}, with {slots} of 16384 slots served.",
            "The tables in the other slots stand still.",
            "Bring the lost primaries back, or make their replicas take over (CLUSTER FAILOVER).",
        ),
        Kind.SENTINEL_AWAY: Said(
            "The Sentinel {server} does not answer; {left} of {all} do.",
            "Without a majority nothing takes over when the primary dies.",
            "Start it again.",
        ),
        Kind.NO_QUORUM: Said(
            "The Sentinels could not fail over for {master}: {told}.",
            "When the primary dies everything stands still until somebody comes.",
            "Start the missing Sentinels, and look that all of them know each other.",
        ),
        Kind.PARTITIONS_OTHER: Said(
            "SERVITO_PARTITIONS is {given} here, and the state was laid out with {found}.",
            "No table is found with it, and no service starts.",
            "Set SERVITO_PARTITIONS={found} for all services.",
        ),
        Kind.APPEND_FAILING: Said(
            "The {server} cannot write its append-only file.",
            "What is played now is gone if it stops, and it may refuse writes.",
            "Look at its disk: space, rights, errors in its log.",
        ),
        Kind.SNAPSHOT_FAILING: Said(
            "The {server} cannot write its snapshot.",
            "By its default it then refuses all writes: nobody can play.",
            "Look at its disk and memory; without need of snapshots: CONFIG SET save ''.",
        ),
        Kind.MEMORY_SHORT: Said(
            "The {server} uses {percent} % of its memory.",
            "When it is full every write is refused: hands stand still.",
            "Give it more, or raise maxmemory; look what grows (closed tables and streams go by themselves).",
        ),
        Kind.REPLICAS_FEW: Said(
            "The state server {server} has {found} replicas that hear it, and money waits for {wanted}.",
            "Who sits down or leaves is told that the outcome is unknown, or a failover may lose it.",
            "Start the replicas again, or look why they do not follow.",
        ),
        Kind.REPLICAS_MORE: Said(
            "The state server {server} has {found} replicas, and money waits for {wanted} of them.",
            "A failover may choose one that does not have it yet: money is lost, and hands get other cards.",
            "Set SERVITO_STATE_REPLICAS={found} for all services.",
        ),
        Kind.REPLICA_BEHIND: Said(
            "The replica {replica} of {server} was heard {seconds} s ago and lacks {kilobytes} kB.",
            "If it takes over now, what was played since is lost.",
            "Look at its load and at the network between.",
        ),
        Kind.WRITES_REFUSED: Said(
            "The state server {server} refuses every write: it hears {found} replicas, and wants {wanted} "
            "(min-replicas-to-write).",
            "All tables stand still until they are back; nothing is lost meanwhile.",
            "Start the replicas again; to play without for now, CONFIG SET min-replicas-to-write {found}.",
        ),
        Kind.REPLICAS_OPTIONAL: Said(
            "The state server {server} writes on without a replica (min-replicas-to-write is 0).",
            "A primary that is cut off from the others goes on alone, and all of that is lost.",
            "CONFIG SET min-replicas-to-write 1 and min-replicas-max-lag 10, also in its file.",
        ),
        Kind.CLOCK_WRONG: Said(
            "The clock of the {server} differs from the one here by {seconds} s.",
            "Deadlines go by the server's clock, tokens by the services': one of the two is wrong.",
            "Look whether the time is kept (NTP, chrony) on both machines.",
        ),
        Kind.CLOCKS_DIFFER: Said(
            "The clocks of {server} and {other} differ by {seconds} s.",
            "After a failover from one to the other every deadline is early or late by that.",
            "Look whether the time is kept (NTP, chrony) on both machines.",
        ),
        Kind.NEVER_SWEPT: Said(
            "{partitions} of {all} partitions were never swept, though something waits in them.",
            "No turn, no pause and no hand there ends by itself.",
            "Start the timers, with the same SERVITO_PARTITIONS and SERVITO_STATE_URL as the table service.",
        ),
        Kind.SWEEP_OLD: Said(
            "{partitions} of {all} partitions were not swept for {seconds} s.",
            "Turns do not end: players wait for a clock that is up.",
            "Look whether the timers run and reach the state server and the table service.",
        ),
        Kind.OUTAGE: Said(
            "For {seconds} s nobody swept, until {ago} s ago.",
            "Players whose clock ran meanwhile got their time again.",
            "Find out what was away.",
        ),
        Kind.OVERDUE: Said(
            "{deadlines} deadlines are overdue, the oldest by {seconds} s.",
            "Turns and pauses end too late.",
            "Look whether the timers run; if they do, start more of them.",
        ),
        Kind.DEADLINE_UNREADABLE: Said(
            "In partition {partition} {deadlines} entries among the deadlines name none.",
            "They are claimed again and again for nothing; something else writes there.",
            "Find out who writes into this server besides Servito.",
        ),
        Kind.CHIPS_WRONG: Said(
            "At table {table} {in_play} chips are in play; its journal says {bought_in} ({difference:+}).",
            "Chips appeared or vanished: somebody's money is wrong.",
            "Pause the table, keep a copy of the state, and compare its hands with the journal.",
        ),
        Kind.TABLE_UNREADABLE: Said(
            "The state of table {table} cannot be read.",
            "Nobody can play there, and its chips cannot be counted.",
            "Keep a copy of it; look which release wrote it, and whether something else writes there.",
        ),
        Kind.JOURNAL_UNREADABLE: Said(
            "Entry {entry} of the money journal of partition {partition} cannot be read.",
            "The chips of that partition's tables cannot be compared.",
            "Keep a copy of it, and find out who wrote it.",
        ),
        Kind.SCHEMAS_APART: Said(
            "Tables are stored in the forms {schemas}.",
            "A release reads its own form and the one before: no release reads all of these.",
            "Let tables of the oldest form be played or closed by the release before.",
        ),
        Kind.FORMS: Said(
            "Tables by the form in which they are stored: {forms}.",
            "Each takes on the form that is written now with its next change.",
            "During an upgrade nothing; before SERVITO_TABLE_OLDEST_SCHEMA is set, wait or change them.",
        ),
        Kind.SEAL_KEYS: Said(
            "Tables by the key that they are sealed under: {keys}.",
            "Each is sealed under the first key with its next change; until then it needs its own.",
            "Give the table service every key that is named here.",
        ),
        Kind.NO_DEADLINE: Said(
            "Hand {hand} runs without a deadline.",
            "If its player goes away it never ends.",
            "Have the player act, or close table {table}; report it with a copy of the state.",
        ),
        Kind.EVENTS_AHEAD: Said(
            "The events of table {table} reach version {newest}, its state only version {version}.",
            "Every act there is refused: they were put back from copies of different moments.",
            "Put both back from one copy; or delete its stream of events: then play goes on from the state.",
        ),
        Kind.EVENTS_BEHIND: Said(
            "The state of table {table} is at version {version}, its events end at {newest}.",
            "Play goes on; recent hands and proofs lack what is missing.",
            "If keys were put back, take both from one copy; else find out who deletes streams.",
        ),
        Kind.DEADLINE_LOST: Said(
            "Table {table} waits ({wait}), and no timer knows of it.",
            "That wait ends by itself only when the table service has put it back, within some minutes.",
            "Look again then; find out who removed it from the sorted set.",
        ),
        Kind.TABLE_STUCK: Said(
            "Table {table} should have gone on {seconds} s ago (hand {hand}).",
            "Its players wait.",
            "Look at the log of the table service for the table, and whether the timers reach it.",
        ),
        Kind.WAITS_FOR_CARDS: Said(
            "Hand {hand} has waited for its cards for {seconds} s.",
            "Its players wait.",
            "Look at the dealer: whether it runs, lets the table in, and can open its records (seal keys).",
        ),
        Kind.MAINTENANCE_ON: Said(
            "Maintenance is on, by {by}, for {minutes} min.",
            "No new hand is dealt at any table.",
            "When the work is done: servito maintenance off.",
        ),
        Kind.MAINTENANCE_BEHIND: Said(
            "{tables} tables do not follow: maintenance is {state}.",
            "Where it is on, hands may begin there; where it is off, nobody plays there.",
            "Read the table services' logs for table_not_held and maintenance_not_followed, with the reason.",
        ),
        Kind.TABLE_NOT_OPENED: Said(
            "The table service refuses table {table}: {told}.",
            "Nobody can play there where that process is asked; what is stored was left as it is.",
            "A key that is missing: give it to every process. Otherwise somebody wrote there: keep a copy, "
            "and see the page about ServitoTableDoesNotOpen.",
        ),
        Kind.TABLES_LEFT: Said(
            "Of {all} tables the table service was asked for {asked}, which ones by chance.",
            "The others were not looked at, so as not to be in the way of those who play.",
            "Nothing, or look again: others are asked then.",
        ),
        Kind.HISTORY_OFF: Said(
            "There is no archive of what was played.",
            "A hand can be looked into only as long as the state server has it.",
            "Set {variable} for the timers.",
        ),
        Kind.HISTORY_BEHIND: Said(
            "{entries} entries wait for the archive, the oldest for {seconds} s.",
            "The state server fills up with them; nothing is lost as long as it is there.",
            "Look at the log of the timers (history_behind), at the database and at SERVITO_HISTORY_URL.",
        ),
        Kind.QUEUE_LONG: Said(
            "{length} claims wait in the broker {server}.",
            "Nobody takes them: deadlines are carried out late, by the timers themselves.",
            "Look whether the timers are connected to this broker.",
        ),
        Kind.AROUND_BROKER: Said(
            "The timers at {service} work without the broker.",
            "Deadlines are in time; the work is not shared.",
            "Look whether the broker answers and whether its messages are heard.",
        ),
        Kind.SERVICE_UNREACHABLE: Said(
            "The {service} at {address} does not answer ({error}).",
            "What it does is left to its replicas, or not done.",
            "Start it, and look at its log and its address.",
        ),
        Kind.SERVICE_UNWELL: Said(
            "The {service} at {address} says that it is {status}.",
            "It cannot do its work: it stops, or something that it needs does not answer.",
            "Look at its log, and at the servers above.",
        ),
        Kind.SERVICE_UNKNOWN: Said(
            "No address of the {service} is known.",
            "It was not looked at.",
            "Name it: --service {service}=HOST:PORT.",
        ),
        Kind.PAGE_UNREADABLE: Said(
            "The metrics page of the {service} at {address} cannot be read.",
            "Nobody would notice what it counts.",
            "Look at SERVITO_METRICS_BIND and at the network between.",
        ),
        Kind.RUNS_UNSAFE: Said(
            "{services}: started with the accepted risk {risk}.",
            "It was taken on purpose.",
            "Nothing, as long as whatever makes up for it is there.",
        ),
        Kind.VERSIONS_DIFFER: Said(
            "The processes are of several releases ({versions}).",
            "That is so during an upgrade and should not last.",
            "Bring the older ones up to date.",
        ),
        Kind.MODES_DIFFER: Said(
            "Some processes run in production mode and some not ({modes}).",
            "Those in development believe everybody, and the others do not believe them.",
            "Set SERVITO_MODE=production for all.",
        ),
    },
    phrases={"state server": "state server", "broker": "broker", INWARD: INWARD, OUTWARD: OUTWARD},
    risks={risk: Said(words.what, words.follows, words.do) for risk, words in WORDS.items()},
)
