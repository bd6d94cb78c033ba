/*
 * The sleepy endpoint: it registers with a mirror, wakes, measures, signs, hands over, checks the
 * answer and sleeps again (Sethi, Arkko, Keraenen 2012; protocols.md, sections 2 to 5).
 *
 * Nothing here blocks. The port calls app_receive for each datagram of the mirror and app_poll
 * when app_deadline has come; between the two the mote may sleep as deeply as it can.
 */
#ifndef MOTE_APP_H
#define MOTE_APP_H

#include "mote/coap.h"
#include "mote/jose.h"
#include "mote/port/actuator.h"
#include "mote/port/clock.h"
#include "mote/port/sensor.h"
#include "mote/store.h"

enum { APP_EP_MAX = 63, APP_PATH_MAX = 63 };

enum app_form { APP_FORM_JWS, APP_FORM_COMPACT };

/*
 * BOOT: app_init has been called. app_start leads to SLEEPING with the first wake-up due at once.
 * SLEEPING: nothing is under way, the radio may be off. At `wake_at` leads to SENDING, or first to
 *   registering (never registered, lifetime three quarters over, or the counter is in doubt), which
 *   begins with ASKING while the mirror's identity key is unknown, else with REGISTERING.
 * ASKING: the mirror's key is asked for (/keys/mirror). A key, the named one if one was named:
 *   REGISTERING. No such key and none named: REGISTERING, but nothing that the mirror answers can
 *   be verified then. Else SLEEPING.
 * REGISTERING: the signed registration is out (section 2). 2.01: SENDING. 4.09 with a verified
 *   answer: the counter is raised and REGISTERING is entered once more. Else SLEEPING. The first
 *   answer that verifies pins the mirror's key; from then on an answer that does not is none. With
 *   `encryption` it must also bring a key.
 * CHECKING: the mirror is asked for commands (section 8), before the readings and as often as
 *   `check_every` says, unless an acknowledgement is still due. One: FETCHING. None, or a refusal:
 *   SENDING.
 * FETCHING: that command is on its way. It is begun durably, carried out, and ended durably; the
 *   next update acknowledges it, confirmably, and then the mirror is asked for the next: SENDING.
 *   What is not authentic, not for us or not new is reported and left: CHECKING or SENDING.
 * SENDING: one reading was measured, signed and handed over (section 3). Accepted, or
 *   non-confirmable and unanswered: the next sensor, after the last SLEEPING. 4.01, 4.04 or 4.09:
 *   REGISTERING, once per wake-up, then the same reading with a new number. 4.03 (nobody has
 *   approved the key), 4.29, 5.xx or no answer: SLEEPING.
 * STOPPED: app_stop has been called; the key is wiped.
 * What is refused or unanswered doubles the pause up to `slow_ms`; what is accepted ends that. Two
 * minutes after a wake-up every state leads to SLEEPING, for two minutes at least: so much a mirror
 * that dawdles may cost.
 */
enum app_state {
    APP_BOOT,
    APP_SLEEPING,
    APP_ASKING,
    APP_REGISTERING,
    APP_CHECKING,
    APP_FETCHING,
    APP_SENDING,
    APP_STOPPED
};

enum app_event_kind {
    APP_EVENT_KEY,        /* a new key pair was made: `text` is its thumbprint */
    APP_EVENT_MIRROR,     /* the mirror's key was pinned: `text` is its thumbprint */
    APP_EVENT_REGISTERED, /* `text` is the location */
    APP_EVENT_RESUMED,    /* registered in an earlier life; `text` is the location */
    APP_EVENT_SENT,       /* `text` is the path; code 0: nobody answered and nobody had to */
    APP_EVENT_REFUSED,    /* `code` and diagnostic; `text` is the path, "commands" or, for the
                             registration, NULL */
    APP_EVENT_UNANSWERED, /* all retransmissions in vain; `text` as above */
    APP_EVENT_COMMAND,    /* `seq` was carried out at `text`; `error` not 0: it was not, and why */
    APP_EVENT_SENSOR,     /* the sensor at `text` did not answer */
    APP_EVENT_FAILED      /* `error` says what of ours failed; `text` as above */
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

/* What not every endpoint does; who does not point at one of these does not link it. The first asks
 * for commands and carries them out, the second agrees on keys and encrypts updates. */
struct app_commands;
struct app_encryption;
extern const struct app_commands app_commands;
extern const struct app_encryption app_encryption;

struct app_config {
    const char *ep;            /* a SenML name of at most APP_EP_MAX octets */
    const char *domain;        /* NULL: the mirror's default */
    const char *endpoint_type; /* NULL: none */
    const char *mirror;        /* names the mirror: another one means a new registration */
    const char *mirror_jkt;    /* thumbprint of its identity key; NULL: pinned on first use */
    uint32_t lifetime;         /* seconds */
    uint64_t wake_ms;
    uint64_t slow_ms;   /* the longest pause after failures, if longer than wake_ms */
    uint32_t listen_ms; /* how long a non-confirmable update waits for an error; 0: not at all */
    uint32_t confirm_every; /* 64 at most: protocols.md, section 3 */
    enum app_form form;
    bool cbor; /* SenML-CBOR instead of SenML-JSON */
    const struct sensor *sensors;
    size_t sensor_count;

    const struct app_commands *commands; /* &app_commands, or NULL: none are asked for */
    uint32_t check_every;                /* wake-ups; 1: at each */
    const struct actuator *actuators;
    size_t actuator_count;
    /* Whose commands count, until a command to `.keys` brings others. */
    const uint8_t (*commanders)[P256_PUBLIC_SIZE];
    size_t commander_count;

    /* &app_encryption: updates go in compact form, encrypted, and a mirror that agrees on no key
     * gets none; or NULL. */
    const struct app_encryption *encryption;
    const struct aes128 *aes; /* only with `encryption` */

    const struct storage *storage;
    const struct random *random;
    const struct sha256 *hash;
    const struct p256 *curve;
    const struct wall_clock *clock; /* NULL: none */
    struct coap_client_config coap;
    uint8_t *body; /* the signed object under way; registrations need about 700 octets */
    size_t body_size;

    /* Told of what a person cares about; must not call back. */
    void (*report)(void *context, const struct app_event *event);
    void *report_context;
};

struct app {
    struct app_config config;
    enum app_state state;
    struct store store;
    struct coap_client client;
    uint8_t point[P256_PUBLIC_SIZE];
    char kid[JOSE_JKT_LEN + 1];
    uint8_t tag[STORE_TAG_SIZE];      /* of what we register: see store.h */
    uint8_t mirror[P256_PUBLIC_SIZE]; /* the mirror's identity key, when `mirror_ready` */
    bool mirror_ready;
    uint8_t ephemeral[P256_PRIVATE_SIZE]; /* secret, while a registration is under way */
    struct jose_cipher cipher;            /* agreed in the last registration */
    size_t body_len;                      /* of the registration under way */
    bool clock_known; /* from a verified answer: unix time is clock_base + passing seconds */
    uint64_t clock_base;
    uint64_t wake_at; /* ms */
    uint64_t woke_at;
    uint64_t renew_at;
    uint64_t pause_until; /* the mirror asked for it (4.29, 5.03) */
    uint32_t wake_ups;
    uint32_t accepted;    /* updates that the mirror took, or that nobody had to answer */
    unsigned slowness;    /* doublings of the pause */
    uint32_t unconfirmed; /* updates since the last confirmed one */
    size_t sensor;        /* the one being sent */
    size_t sensor_end;    /* the one behind the last to be sent */
    bool check_due;       /* commands are to be asked for */
    unsigned checks_left; /* in this wake-up */
    uint64_t command;     /* the number being fetched, or the last that was looked at */
    char command_query[32];
    const char *check_query; /* of the request under way */
    bool acknowledging;      /* the update under way carries an acknowledgement */
    uint64_t seq;            /* of what is under way */
    bool confirmable;        /* what is under way */
    bool registered_now;     /* once per wake-up is enough */
    bool raised_now;
    bool trouble; /* this wake-up saw a refusal or silence */
    char ep_query[APP_EP_MAX + 4];
    char domain_query[APP_EP_MAX + 3];
    const char *queries[2];
    char update_path[STORE_LOCATION_SIZE + APP_PATH_MAX + 1];
};

/* MOTE_E_MALFORMED for a name, path or unit that is none, MOTE_E_SPACE for one too long. */
int app_init(struct app *app, const struct app_config *config);

/* Reads or makes the identity. Errors as store_open's, MOTE_E_IO also without entropy. */
int app_start(struct app *app, uint64_t now);

void app_receive(struct app *app, const uint8_t *datagram, size_t len, uint64_t now);
void app_poll(struct app *app, uint64_t now);

/* When app_poll wants to be called, in ms; UINT64_MAX: never. */
uint64_t app_deadline(const struct app *app);

void app_stop(struct app *app);

#endif
