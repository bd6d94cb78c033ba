/*
 * The sleepy endpoint. It registers with a mirror. At each wake-up it reads its sensors, signs the
 * readings, sends them as updates, checks the responses and sleeps again (Sethi, Arkko, Keraenen
 * 2012; docs/protocol.md sections 2 to 5).
 *
 * No function blocks. The port calls app_receive for each datagram of the mirror and app_poll at
 * app_deadline; in between the mote may sleep. All times are ms of a monotonic clock.
 */
#ifndef MOTE_APP_H
#define MOTE_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mote/coap.h"
#include "mote/crypto.h"
#include "mote/jose.h"
#include "mote/port/actuator.h"
#include "mote/port/clock.h"
#include "mote/port/random.h"
#include "mote/port/sensor.h"
#include "mote/port/storage.h"
#include "mote/store.h"

enum { APP_EP_MAX = 63, APP_PATH_MAX = 63 };

enum app_form { APP_FORM_JWS, APP_FORM_COMPACT };

/*
 * BOOT: app_init has been called. app_start -> SLEEPING, with the first wake-up due at once.
 * SLEEPING: no exchange is under way, the radio may be off. At `wake_at` -> SENDING. But first, if
 *   never registered, after three quarters of the lifetime, if sequence numbers are uncertain, or
 *   after a start with `keep` and without the time -> FETCHING_KEY while the mirror's identity key
 *   is unknown, else REGISTERING.
 * FETCHING_KEY: the mirror's identity key was requested (/keys/mirror). A key, which must be the
 *   configured one if one is configured -> REGISTERING. No key, and none configured -> REGISTERING,
 *   without verification of the mirror's answers. 4.29, 5.xx or anything else -> SLEEPING.
 * REGISTERING: the signed registration was sent (docs/protocol.md section 2). 2.01 -> SENDING. 4.09
 *   with a verified answer raises the sequence number -> REGISTERING, once per wake-up. Else ->
 *   SLEEPING. The first verified answer pins the mirror's key; unverified answers are errors from
 *   then on. A key that verifies no answer before it is pinned is requested again. With
 *   `encryption` the answer must also agree on a key.
 * LISTING_COMMANDS: the list of commands was requested (section 8). In every `check_every`th
 *   wake-up this follows the first accepted update, which is confirmable. A new command ->
 *   FETCHING_COMMAND. A command that is not new (the mirror was restored from a backup) is
 *   acknowledged again -> SENDING, or refused -> REFUSING. None -> SENDING or SLEEPING.
 * FETCHING_COMMAND: a command was requested. If it is authentic, for this endpoint, new and not
 *   expired, it is carried out; the next update is confirmable and acknowledges it, and the list is
 *   requested again. An expired command is skipped, any other is refused. 4.04 skips it; other
 *   codes end the check, which is then due in the next wake-up. -> LISTING_COMMANDS, SENDING,
 *   REFUSING or SLEEPING.
 * REFUSING: the reason why a command was not carried out was sent to `.result` (section 8), after
 *   the readings. -> LISTING_COMMANDS or SLEEPING. 4.01 or 4.09 -> as from SENDING.
 * SENDING: an update was sent (section 3). Accepted, or non-confirmable without an answer ->
 *   LISTING_COMMANDS if commands are due, else the next sensor; after the last one -> SLEEPING.
 *   4.01, 4.04 or 4.09 -> FETCHING_KEY or REGISTERING, once per wake-up, and the reading is sent
 *   again with a new number; likewise 4.03, once an hour, if the time is from the mirror.
 * Else 4.03, 4.29, 5.xx or no answer -> SLEEPING. STOPPED: app_stop has been called; the key is
 * wiped. After failed wake-ups the pause doubles up to `backoff_max_ms`, until an update is
 * accepted. Two minutes after a wake-up every state -> SLEEPING, for at least two minutes: this
 * limits the energy that a slow mirror can cost.
 */
enum app_state {
    APP_BOOT,
    APP_SLEEPING,
    APP_FETCHING_KEY,
    APP_REGISTERING,
    APP_LISTING_COMMANDS,
    APP_FETCHING_COMMAND,
    APP_REFUSING,
    APP_SENDING,
    APP_STOPPED
};

enum app_event_kind {
    APP_EVENT_KEY,        /* a new key pair; `text` is its thumbprint */
    APP_EVENT_MIRROR,     /* the mirror's key is pinned; `text` is its thumbprint */
    APP_EVENT_REGISTERED, /* `text` is the location */
    APP_EVENT_RESUMED,    /* registered before the restart; `text` is the location */
    APP_EVENT_SENT,       /* `text` is the path; `code` 0: no answer, and none was required */
    APP_EVENT_REFUSED,    /* by `code` and diagnostic; `text` is the path, "commands" or, for the
                             registration, NULL */
    APP_EVENT_UNANSWERED, /* after all retransmissions; `text` as for REFUSED */
    APP_EVENT_COMMAND,    /* number `seq` for `text`; `error` 0: it was carried out */
    APP_EVENT_SENSOR,     /* the sensor at `text` gave no value */
    APP_EVENT_FAILED      /* by `error` of this side; `text` as for REFUSED */
};

struct app_event {
    enum app_event_kind kind;
    const char *text;
    uint64_t seq;
    uint8_t code;
    bool confirmable;
    int error;
    const uint8_t *diagnostic;
    size_t diagnostic_len;
};

/* Optional features, linked only if the configuration points at them: fetching and carrying out
 * commands, and encrypting updates under agreed keys. */
struct app_commands;
struct app_encryption;
extern const struct app_commands app_commands;
extern const struct app_encryption app_encryption;

struct app_config {
    const char *ep;            /* a SenML name of at most APP_EP_MAX octets */
    const char *domain;        /* NULL: the mirror's default */
    const char *endpoint_type; /* NULL: none */
    const char *mirror;        /* identifies the mirror: a change means a new registration */
    const char *mirror_jkt;    /* thumbprint of its identity key; NULL: pin on first use */
    uint32_t lifetime;         /* seconds */
    uint64_t wake_ms;
    uint64_t backoff_max_ms; /* longest pause after failures, if longer than wake_ms */
    uint32_t
        listen_ms; /* how long to wait for the answer to a non-confirmable update; 0: not at all */
    uint32_t confirm_every; /* updates; at most 64: docs/protocol.md section 3 */
    enum app_form form;
    bool cbor; /* SenML-CBOR instead of SenML-JSON */
    const struct sensor *sensors;
    size_t sensor_count;

    const struct app_commands *commands; /* &app_commands, or NULL: no commands */
    uint32_t check_every;                /* wake-ups between requests for commands */
    const struct actuator *actuators;
    size_t actuator_count;
    /* The keys that may command, until a command to `.keys` replaces them. */
    const uint8_t (*commanders)[P256_PUBLIC_SIZE];
    size_t commander_count;

    /* &app_encryption: updates are encrypted, in the compact form, and sent only to a mirror that
     * agrees on a key. NULL: not encrypted. */
    const struct app_encryption *encryption;
    const struct aes128 *aes; /* only with `encryption` */

    const struct storage *storage;
    const struct random *random;
    const struct sha256 *hash;
    const struct p256 *curve;
    const struct wall_clock *clock; /* NULL: none */
    struct coap_client_config coap;
    uint8_t *body; /* of the request under way; registrations need about 700 octets */
    size_t body_size;

    /* Keeps each reading before it is sent, or when a wake-up ends without sending it. `sensor` is
     * its index, `time` unix time, `seq` the number of its update, 0 without an update. Not called
     * for readings without a known time. NULL: none is kept. */
    void (*keep)(void *context, size_t sensor, struct decimal value, uint64_t time, uint64_t seq);
    void *keep_context;

    /* Receives events for display; must not call app functions. NULL: none. */
    void (*report)(void *context, const struct app_event *event);
    void *report_context;
};

/* Why a command was not carried out: docs/protocol.md section 8. */
enum app_reason {
    APP_REASON_NONE = 0,
    APP_REASON_CONTENT = 400,
    APP_REASON_NOT_PERMITTED = 403,
    APP_REASON_NO_RESOURCE = 404,
    APP_REASON_BEGUN = 409,
    APP_REASON_TOO_LARGE = 413,
    APP_REASON_FAILED = 500
};

struct app {
    struct app_config config;
    enum app_state state;
    struct store store;
    struct coap_client client;
    uint8_t point[P256_PUBLIC_SIZE];
    char kid[JOSE_JKT_LEN + 1];
    uint8_t tag[STORE_TAG_SIZE];          /* hash of the registration's parameters */
    uint8_t mirror_key[P256_PUBLIC_SIZE]; /* the mirror's identity key, if `mirror_key_known` */
    bool mirror_key_known;
    uint8_t ephemeral[P256_PRIVATE_SIZE]; /* secret, while a registration is under way */
    struct jose_cipher cipher;            /* agreed in the last registration */
    size_t body_len;                      /* of the registration under way */
    bool clock_known; /* from a verified answer: unix time is clock_base + now / 1000 */
    uint64_t clock_base;
    uint64_t renew_clock_at; /* ms; before this, a 4.03 does not renew the clock */
    uint64_t wake_at;        /* ms */
    uint64_t woke_at;
    uint64_t measure_at; /* no app_measure before this */
    uint64_t renew_at;
    uint64_t retry_at; /* no wake-up before this: Max-Age of a 4.29 or 5.03 */
    uint32_t wake_ups;
    uint32_t accepted;      /* updates accepted, or sent without a required answer */
    unsigned backoff;       /* failed wake-ups in a row, at most 16 */
    uint32_t unconfirmed;   /* updates since the last confirmed one */
    size_t sensor;          /* index of the reading being sent */
    size_t sensor_end;      /* index after the last reading to send */
    size_t kept;            /* index after the last reading that was kept */
    bool check_due;         /* commands will be requested, at the latest in the next wake-up */
    unsigned checks_left;   /* in this wake-up */
    uint64_t command;       /* the number being fetched or refused */
    uint64_t listed;        /* the last number of the list that this wake-up has handled */
    enum app_reason reason; /* why `command` was not carried out; NONE: nothing to report */
    bool refusal_tried;     /* in this wake-up */
    char command_query[32];
    const char *query;       /* of the request under way */
    bool acknowledging;      /* the update under way carries an acknowledgement */
    uint64_t seq;            /* of the request under way */
    bool confirmable;        /* true if the request under way is confirmable */
    bool registration_tried; /* in this wake-up */
    bool counter_raised;     /* in this wake-up */
    bool update_accepted;    /* in this wake-up, by an answer */
    bool wake_up_failed;     /* a request of this wake-up was refused or not answered */
    char ep_query[APP_EP_MAX + 4];
    char domain_query[APP_EP_MAX + 3];
    const char *queries[2];
    char update_path[STORE_LOCATION_SIZE + APP_PATH_MAX + 1];
};

/* Checks and copies the configuration. MOTE_E_MALFORMED for an invalid name, path, type or unit,
 * MOTE_E_SPACE for one that is too long. */
int app_init(struct app *app, const struct app_config *config);

/*
 * Reads the stored identity or makes one. Errors as for store_open; MOTE_E_IO also without entropy.
 */
int app_start(struct app *app, uint64_t now);

/* Takes a datagram of the mirror. */
void app_receive(struct app *app, const uint8_t *datagram, size_t len, uint64_t now);
/* Handles wake-ups and time-outs. */
void app_poll(struct app *app, uint64_t now);

/* Replaces app_poll while there is no route to the mirror: keeps readings once in `wake_ms` and
 * sends nothing. Returns the time of the next call in ms; UINT64_MAX: never. */
uint64_t app_measure(struct app *app, uint64_t now);

/* The time of the next app_poll in ms; UINT64_MAX: never. */
uint64_t app_deadline(const struct app *app);

/* Wipes keys; the endpoint cannot be used any more. */
void app_stop(struct app *app);

#endif
