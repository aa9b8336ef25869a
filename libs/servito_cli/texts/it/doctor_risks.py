"""Italian: what is unsafe (`servito_platform.safety.names` has the English)."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form.doctor import Said
from servito_platform.safety.names import Risk

RISKS: Final[dict[Risk, Said]] = {
    Risk.DEV_TOKENS: Said(
        "si crede ai token di sviluppo",
        "ognuno è chi dice di essere, anche il tavolo e i timer",
        "dare le chiavi dei token firmati, SERVITO_AUTH_JWKS_FILE o _JWKS, e SERVITO_AUTH_ISSUER",
    ),
    Risk.OWN_DEV_TOKEN: Said(
        "{what} è un token di sviluppo",
        "un servizio in produzione non fa entrare nessuno con quello",
        "dare un token firmato con il ruolo service, meglio come file rinnovato: {what}_FILE",
    ),
    Risk.EXAMPLE_KEY: Said(
        "{what} non è una chiave casuale",
        "chi la indovina legge ogni carta da una copia dello stato",
        "farne una con `openssl rand -base64 32`, e tenerla in un deposito di segreti",
    ),
    Risk.NO_PASSWORD: Said(
        "{what} indica un server senza password",
        "chi raggiunge la sua porta può leggere, cambiare e cancellare tutto",
        "mettere sul server una password o un utente ACL, e scriverla nell'indirizzo",
    ),
    Risk.PLAIN_GRPC: Said(
        "{what} viaggiano in chiaro",
        "chi è sulla rete legge carte e token",
        "dare i certificati (SERVITO_TLS_CERT_FILE, _KEY_FILE, _CA_FILE), o accettare il rischio dove cifra "
        "la rete stessa",
    ),
    Risk.OPEN_METRICS: Said(
        "{what} ascolta su ogni rete",
        "chi raggiunge la porta legge quanto si gioca e può rallentare il processo",
        "indicare un indirizzo privato, o accettare il rischio dove la rete tiene fuori gli altri",
    ),
    Risk.EVICTION: Said(
        "può buttare via chiavi (maxmemory-policy non è noeviction): {what}",
        "quando è pieno butta tavoli, fiches e scadenze invece di rifiutare una scrittura",
        "dare CONFIG SET maxmemory-policy noeviction, anche nel suo file",
    ),
    Risk.NOT_KEPT: Said(
        "non tiene un file append-only (appendonly è no): {what}",
        "tavoli e fiches spariscono quando riparte",
        "dare CONFIG SET appendonly yes, anche nel suo file",
    ),
    Risk.NOT_SYNCED: Said(
        "lascia la scrittura al sistema operativo (appendfsync è no): {what}",
        "senza corrente può andare perso mezzo minuto di gioco e di denaro",
        "dare CONFIG SET appendfsync everysec, anche nel suo file",
    ),
    Risk.NO_REPLICA: Said(
        "denaro e sigilli valgono prima che una replica li abbia",
        "perdere una macchina vuol dire perdere il denaro mosso per ultimo, e la fiducia dei giocatori",
        "tenere lo stato sotto Sentinel o in un Cluster, o dare SERVITO_STATE_REPLICAS=1",
    ),
    Risk.LOOSE_REPLICAS: Said(
        "denaro e sigilli valgono anche quando il primario non ha repliche",
        "una rimasta isolata un momento, o che si sta riempiendo, può subentrare senza averli",
        "dare SERVITO_STATE_REPLICAS_STRICT=true, con almeno due repliche, così una può mancare",
    ),
    Risk.WAKE_CLOSED: Said(
        "non lascia usare al nostro utente i canali dei risvegli: {what}",
        "chi guarda un tavolo servito da un altro processo sa tutto un secondo dopo",
        "dare i canali all'utente: ACL SETUSER <utente> &{{p*}}:wake +spublish +ssubscribe +sunsubscribe",
    ),
    Risk.OLD_SERVER: Said(
        "è più vecchio della versione 7: {what}",
        "gli script e i canali che servono mancano o si comportano altrimenti",
        "usare Valkey 8 o successivi, o Redis 7 o successivi",
    ),
    Risk.CARDS_IN_CLEAR: Said(
        "i tavoli sono conservati nella forma della versione precedente",
        "le carte stanno in chiaro nel server di stato, e nessuna mano è archiviata",
        "impostare SERVITO_TABLE_SCHEMA=3; accettarlo solo finché gira ancora la versione precedente",
    ),
    Risk.NO_HISTORY: Said(
        "le mani finite non sono archiviate da nessuna parte",
        "nessuna mano si può più guardare quando lascia il server di stato, né provare che cosa si è giocato",
        "dare una base di dati: SERVITO_HISTORY_URL=postgresql://...",
    ),
    Risk.LOCAL_HISTORY: Said(
        "l'archivio delle mani finite è un file di una sola macchina",
        "si perde con la macchina, e i timer di altre macchine non possono scriverlo",
        "dare una base di dati: SERVITO_HISTORY_URL=postgresql://...",
    ),
}
