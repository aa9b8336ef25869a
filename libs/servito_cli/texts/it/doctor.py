"""Italian: `form/doctor.py`."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form.doctor import DoctorTexts, Said
from servito_cli.texts.it.doctor_risks import RISKS
from servito_local.doctor.findings import Check, Kind
from servito_platform.safety.names import INWARD, OUTWARD

DOCTOR: Final = DoctorTexts(
    checks={
        Check.SETTINGS: "impostazioni, come le leggono {number} servizi",
        Check.STATE: "server dello stato, {number} che scrivono",
        Check.BROKER: "il broker, {number} che scrivono",
        Check.KEEPING: "che cosa conservano {number} server, e che cosa butterebbero via",
        Check.MEMORY: "memoria di {number} server",
        Check.REPLICAS: "repliche di {number} server dello stato",
        Check.CLOCKS: "orologi di {number} server",
        Check.SWEEPS: "controlli periodici di {number} partizioni",
        Check.DEADLINES: "{number} scadenze",
        Check.CHIPS: "fiches di {number} tavoli rispetto al giornale del denaro",
        Check.HANDS: "{number} mani in corso",
        Check.HISTORY: "ciò che aspetta l'archivio in {number} partizioni",
        Check.OPENING: "{number} tavoli, come li apre il servizio dei tavoli",
        Check.SERVICES: "{number} processi dei servizi",
    },
    not_made="non si è potuto controllare",
    well="bene",
    note="nota",
    warning="occhio",
    wrong="MALE",
    all_well="Tutto bene.",
    sum_up="Guasti: {wrong}. Da guardare: {warnings}.",
    kinds={
        Kind.DEVELOPMENT: Said(
            "I servizi girano in modalità di sviluppo, con {risks}.",
            "Si fidano di chiunque li raggiunga.",
            "Per giocatori veri: SERVITO_MODE=production, che dice che cosa manca.",
        ),
        Kind.SETTING_WRONG: Said(
            "{service} non può usare un'impostazione: {told}.",
            "Così il servizio non parte.",
            "Dare uno dei valori ammessi.",
        ),
        Kind.SETTING_UNKNOWN: Said(
            "Nessun servizio conosce {variable}.",
            "Non ha effetto, e chi l'ha messa crede di sì.",
            "Toglierla, o cercarne il nome nell'elenco delle impostazioni.",
        ),
        Kind.SETTING_MISSPELT: Said(
            "Nessun servizio conosce {variable}; forse si intende {meant}.",
            "Non ha effetto, e l'impostazione che si voleva resta quella predefinita.",
            "Chiamarla {meant}.",
        ),
        Kind.SETTING_ELSEWHERE: Said(
            "{variable} qui non c'è, e a {service} serve.",
            "Non si è potuta controllare; solo {service} dovrebbe averla.",
            "Niente, se è data dove gira {service}.",
        ),
        Kind.UNREACHABLE: Said(
            "Non risponde: {server} ({error}).",
            "Senza lo stato nessuno può giocare; senza il broker i timer lavorano da soli.",
            "Avviarlo, e guardare l'indirizzo e la rete in mezzo.",
        ),
        Kind.LOCKED_OUT: Said(
            "Non ci lascia entrare: {server} ({error}).",
            "Nessun servizio con questo indirizzo può lavorare.",
            "Mettere nell'indirizzo utente e password giusti, o dare all'utente il diritto di leggere.",
        ),
        Kind.LOADING: Said(
            "Sta ancora caricando ciò che aveva scritto: {server}.",
            "Finché non ha finito non risponde a nessuno.",
            "Aspettare; se riparte di continuo, guardare perché si ferma.",
        ),
        Kind.OTHER_KIND: Said(
            "{server} gira come {found}, e l'indirizzo dice {wanted}.",
            "I servizi gli parlano nel modo sbagliato, e falliscono ora o al prossimo cambio di primario.",
            "Scrivere l'indirizzo nella forma giusta: redis://, redis+sentinel:// o redis+cluster://.",
        ),
        Kind.NOT_PRIMARY: Said(
            "È una replica: {server}.",
            "Non accetta scritture: nessuno può giocare.",
            "Indicare il primario, o i Sentinel che lo conoscono (redis+sentinel://).",
        ),
        Kind.CLUSTER_BROKEN: Said(
            "Il Cluster è nello stato {state}, con {slots} slot serviti su 16384.",
            "I tavoli degli altri slot sono fermi.",
            "Riavviare i primari persi, o far subentrare le repliche (CLUSTER FAILOVER).",
        ),
        Kind.SENTINEL_AWAY: Said(
            "Il Sentinel {server} non risponde; rispondono in {left} su {all}.",
            "Senza maggioranza nessuno subentra quando il primario muore.",
            "Riavviarlo.",
        ),
        Kind.NO_QUORUM: Said(
            "I Sentinel non potrebbero sostituire {master}: {told}.",
            "Se il primario muore tutto resta fermo finché non arriva qualcuno.",
            "Avviare i Sentinel che mancano, e guardare che si conoscano tutti.",
        ),
        Kind.PARTITIONS_OTHER: Said(
            "Qui SERVITO_PARTITIONS è {given}, e lo stato è diviso in {found} partizioni.",
            "Così non si trova nessun tavolo, e nessun servizio parte.",
            "Dare SERVITO_PARTITIONS={found} a tutti i servizi.",
        ),
        Kind.APPEND_FAILING: Said(
            "Non riesce a scrivere il file append-only: {server}.",
            "Se si ferma, ciò che si gioca ora è perso; e può rifiutare le scritture.",
            "Guardare il suo disco: spazio, permessi, errori nel log.",
        ),
        Kind.SNAPSHOT_FAILING: Said(
            "Non riesce a scrivere lo snapshot: {server}.",
            "Di norma allora rifiuta ogni scrittura: nessuno può giocare.",
            "Guardare disco e memoria; se gli snapshot non servono: CONFIG SET save ''.",
        ),
        Kind.MEMORY_SHORT: Said(
            "Usa il {percent} % della sua memoria: {server}.",
            "Quando è piena ogni scrittura è rifiutata: le mani si fermano.",
            "Dargliene di più, o alzare maxmemory; guardare che cosa cresce (i tavoli chiusi vanno via).",
        ),
        Kind.REPLICAS_FEW: Said(
            "Il server dello stato {server} ha {found} repliche in ascolto, e il denaro ne aspetta {wanted}.",
            "Chi si siede o si alza sente che l'esito è ignoto, o un cambio di primario può perderlo.",
            "Riavviare le repliche, o guardare perché non seguono.",
        ),
        Kind.REPLICAS_MORE: Said(
            "Il server dello stato {server} ha {found} repliche, e il denaro ne aspetta solo {wanted}.",
            "Può subentrare una che non l'ha ancora: si perde denaro, e le mani ricevono altre carte.",
            "Dare SERVITO_STATE_REPLICAS={found} a tutti i servizi.",
        ),
        Kind.REPLICA_BEHIND: Said(
            "La replica {replica} di {server} si è sentita {seconds} s fa e le mancano {kilobytes} kB.",
            "Se subentra adesso, ciò che si è giocato da allora è perso.",
            "Guardare il suo carico e la rete in mezzo.",
        ),
        Kind.WRITES_REFUSED: Said(
            "Il server dello stato {server} rifiuta ogni scrittura: sente {found} repliche, e ne vuole "
            "{wanted} (min-replicas-to-write).",
            "Tutti i tavoli sono fermi finché non tornano; intanto non si perde niente.",
            "Riavviare le repliche; per giocare senza, per ora, CONFIG SET min-replicas-to-write {found}.",
        ),
        Kind.REPLICAS_OPTIONAL: Said(
            "Il server dello stato {server} scrive anche senza repliche (min-replicas-to-write è 0).",
            "Un primario isolato dagli altri va avanti da solo, e tutto quello va perso.",
            "CONFIG SET min-replicas-to-write 1 e min-replicas-max-lag 10, anche nel suo file.",
        ),
        Kind.CLOCK_WRONG: Said(
            "L'orologio differisce da quello di qui di {seconds} s: {server}.",
            "Le scadenze seguono l'orologio del server, i token quello dei servizi: uno dei due sbaglia.",
            "Guardare che l'ora sia tenuta (NTP, chrony) su entrambe le macchine.",
        ),
        Kind.CLOCKS_DIFFER: Said(
            "Gli orologi di {server} e {other} differiscono di {seconds} s.",
            "Se il secondo subentra al primo, ogni scadenza è anticipata o ritardata di tanto.",
            "Guardare che l'ora sia tenuta (NTP, chrony) su entrambe le macchine.",
        ),
        Kind.NEVER_SWEPT: Said(
            "{partitions} partizioni su {all} non sono mai state controllate, e qualcosa vi aspetta.",
            "Lì nessun turno, pausa o mano finisce da sé.",
            "Avviare i timer, con gli stessi SERVITO_PARTITIONS e SERVITO_STATE_URL dei tavoli.",
        ),
        Kind.SWEEP_OLD: Said(
            "{partitions} partizioni su {all} non sono controllate da {seconds} s.",
            "I turni non finiscono: i giocatori aspettano un tempo già scaduto.",
            "Guardare se i timer girano e raggiungono lo stato e il servizio dei tavoli.",
        ),
        Kind.OUTAGE: Said(
            "Per {seconds} s nessuno ha controllato, fino a {ago} s fa.",
            "Chi aveva il tempo che correva l'ha riavuto.",
            "Scoprire che cosa mancava.",
        ),
        Kind.OVERDUE: Said(
            "{deadlines} scadenze sono passate, la più vecchia da {seconds} s.",
            "Turni e pause finiscono in ritardo.",
            "Guardare se i timer girano; se girano, avviarne altri.",
        ),
        Kind.DEADLINE_UNREADABLE: Said(
            "Tra le scadenze della partizione {partition} ci sono voci che non lo sono: {deadlines}.",
            "Vengono prese di continuo per niente; lì scrive qualcun altro.",
            "Scoprire chi scrive in questo server oltre a Servito.",
        ),
        Kind.CHIPS_WRONG: Said(
            "Al tavolo {table} ci sono {in_play} fiches in gioco, e il giornale dice {bought_in} "
            "({difference:+}).",
            "Sono apparse o sparite fiches: il denaro di qualcuno è sbagliato.",
            "Mettere in pausa il tavolo, copiare lo stato, e confrontare le mani con il giornale.",
        ),
        Kind.TABLE_UNREADABLE: Said(
            "Lo stato del tavolo {table} non si può leggere.",
            "Lì nessuno può giocare, e le sue fiches non si possono contare.",
            "Copiarlo; guardare quale versione l'ha scritto, e se vi scrive qualcun altro.",
        ),
        Kind.JOURNAL_UNREADABLE: Said(
            "La voce {entry} del giornale della partizione {partition} non si può leggere.",
            "Le fiches dei tavoli di quella partizione non si possono confrontare.",
            "Copiarla, e scoprire chi l'ha scritta.",
        ),
        Kind.SCHEMAS_APART: Said(
            "I tavoli sono conservati nelle forme {schemas}.",
            "Una versione legge la sua forma e quella prima: nessuna le legge tutte.",
            "Far giocare o chiudere i tavoli della forma più vecchia dalla versione precedente.",
        ),
        Kind.FORMS: Said(
            "Tavoli secondo la forma in cui sono conservati: {forms}.",
            "Ognuno passa alla forma di adesso quando qualcosa vi cambia.",
            "Durante un aggiornamento niente; prima di SERVITO_TABLE_OLDEST_SCHEMA aspettare o cambiarli.",
        ),
        Kind.SEAL_KEYS: Said(
            "Tavoli secondo la chiave con cui sono sigillati: {keys}.",
            "Ognuno passa alla prima chiave quando qualcosa vi cambia; fino ad allora gli serve la sua.",
            "Dare al servizio del tavolo ogni chiave che è detta qui.",
        ),
        Kind.NO_DEADLINE: Said(
            "La mano {hand} è in corso senza scadenza.",
            "Se il giocatore se ne va non finisce mai.",
            "Far agire il giocatore, o chiudere il tavolo {table}; segnalarlo con una copia dello stato.",
        ),
        Kind.EVENTS_AHEAD: Said(
            "Gli eventi del tavolo {table} arrivano alla versione {newest}, il suo stato alla {version}.",
            "Ogni azione è rifiutata: vengono da copie di momenti diversi.",
            "Rimettere tutti e due dalla stessa copia; o cancellare gli eventi: si riparte dallo stato.",
        ),
        Kind.EVENTS_BEHIND: Said(
            "Lo stato del tavolo {table} è alla versione {version}, i suoi eventi finiscono alla {newest}.",
            "Si gioca lo stesso; alle mani recenti e alle prove manca il resto.",
            "Se si sono rimesse delle chiavi, prenderle dalla stessa copia; se no, scoprire chi cancella.",
        ),
        Kind.DEADLINE_LOST: Said(
            "Il tavolo {table} aspetta ({wait}), e nessun timer lo sa.",
            "Quell'attesa finisce da sé solo quando il servizio del tavolo l'ha rimessa, fra qualche minuto.",
            "Guardare ancora fra poco; scoprire chi l'ha tolta dall'insieme ordinato.",
        ),
        Kind.TABLE_STUCK: Said(
            "Il tavolo {table} doveva proseguire {seconds} s fa (mano {hand}).",
            "I suoi giocatori aspettano.",
            "Guardare il log del servizio dei tavoli, e se i timer lo raggiungono.",
        ),
        Kind.WAITS_FOR_CARDS: Said(
            "La mano {hand} aspetta le carte da {seconds} s.",
            "I suoi giocatori sono fermi.",
            "Guardare il mazziere: se gira, se fa entrare i tavoli, se apre i suoi dati (chiavi).",
        ),
        Kind.MAINTENANCE_ON: Said(
            "C'è manutenzione, di {by}, da {minutes} min.",
            "A nessun tavolo si danno mani nuove.",
            "A lavoro finito: servito maintenance off.",
        ),
        Kind.MAINTENANCE_BEHIND: Said(
            "{tables} tavoli non seguono: la manutenzione è {state}.",
            "Se è on, lì possono cominciare mani; se è off, lì nessuno gioca.",
            "Cercare table_not_held e maintenance_not_followed nei log dei servizi table, con il motivo.",
        ),
        Kind.TABLE_NOT_OPENED: Said(
            "Il servizio dei tavoli rifiuta il tavolo {table}: {told}.",
            "Dove si chiede a quel processo, lì nessuno può giocare; ciò che è memorizzato è come prima.",
            "Una chiave che manca: darla a ogni processo. Altrimenti qualcuno vi ha scritto: copiarlo, e "
            "leggere la pagina su ServitoTableDoesNotOpen.",
        ),
        Kind.TABLES_LEFT: Said(
            "Di {all} tavoli ne sono stati chiesti {asked} al servizio dei tavoli, a caso.",
            "Gli altri non sono stati controllati, per non disturbare chi gioca.",
            "Niente, o guardare di nuovo: allora se ne chiedono altri.",
        ),
        Kind.HISTORY_OFF: Said(
            "Non c'è un archivio di ciò che si è giocato.",
            "Una mano si può guardare solo finché la tiene il server di stato.",
            "Dare {variable} ai timer.",
        ),
        Kind.HISTORY_BEHIND: Said(
            "{entries} voci aspettano l'archivio, la più vecchia da {seconds} s.",
            "Il server di stato se ne riempie; finché c'è non si perde nulla.",
            "Guardare il log dei timer (history_behind), la base di dati e SERVITO_HISTORY_URL.",
        ),
        Kind.QUEUE_LONG: Said(
            "{length} richieste aspettano nel broker {server}.",
            "Nessuno le prende: le scadenze sono eseguite tardi, dai timer stessi.",
            "Guardare se i timer sono collegati a questo broker.",
        ),
        Kind.AROUND_BROKER: Said(
            "I timer a {service} lavorano senza il broker.",
            "Le scadenze sono puntuali; il lavoro non è diviso.",
            "Guardare se il broker risponde e se i suoi messaggi arrivano.",
        ),
        Kind.SERVICE_UNREACHABLE: Said(
            "{service} a {address} non risponde ({error}).",
            "Ciò che fa resta alle sue repliche, o non si fa.",
            "Avviarlo, e guardare il suo log e l'indirizzo.",
        ),
        Kind.SERVICE_UNWELL: Said(
            "{service} a {address} dice di essere {status}.",
            "Non può lavorare: si sta fermando, o qualcosa che gli serve non risponde.",
            "Guardare il suo log, e i server qui sopra.",
        ),
        Kind.SERVICE_UNKNOWN: Said(
            "Non si sa dove gira {service}.",
            "Non è stato controllato.",
            "Indicarlo: --service {service}=HOST:PORT.",
        ),
        Kind.PAGE_UNREADABLE: Said(
            "La pagina delle metriche di {service} a {address} non si può leggere.",
            "Nessuno si accorgerebbe di ciò che conta.",
            "Guardare SERVITO_METRICS_BIND e la rete in mezzo.",
        ),
        Kind.RUNS_UNSAFE: Said(
            "{services}: avviati con il rischio accettato {risk}.",
            "È stato preso di proposito.",
            "Niente, finché c'è ciò che lo compensa.",
        ),
        Kind.VERSIONS_DIFFER: Said(
            "I processi sono di più versioni ({versions}).",
            "È così durante un aggiornamento, e non deve durare.",
            "Aggiornare i più vecchi.",
        ),
        Kind.MODES_DIFFER: Said(
            "Alcuni processi girano in produzione e altri no ({modes}).",
            "Quelli in sviluppo credono a chiunque, e gli altri non credono a loro.",
            "SERVITO_MODE=production per tutti.",
        ),
    },
    phrases={
        "state server": "il server dello stato",
        "broker": "il broker",
        INWARD: "le chiamate a questo servizio",
        OUTWARD: "le chiamate ad altri servizi",
    },
    risks=RISKS,
)
