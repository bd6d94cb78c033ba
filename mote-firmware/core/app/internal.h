/*
 * Between the files of the endpoint: app.c is when things happen, register.c and update.c and
 * commands.c what an answer means, messages.c what is sent, encryption.c how it is hidden.
 */
#ifndef MOTE_APP_INTERNAL_H
#define MOTE_APP_INTERNAL_H

#include "mote/app.h"

enum { APP_CONFIRM_ALWAYS = 1 << 16 };

/* The resource that brings new commanders. */
#define APP_KEYS_PATH ".keys"

/* ---- messages.c ---- */

/* Fills the queries and the tag of what we register. */
int app_describe(struct app *app);

/* Starts an exchange. */
int app_request(struct app *app, const struct coap_request *request, uint64_t now);

/* Signs and sends the registration, or the reading of the current sensor. A number is taken each
 * time. MOTE_E_UNSUPPORTED: the sensor did not answer, no number was taken. */
int app_send_registration(struct app *app, uint64_t now);
int app_send_update(struct app *app, uint64_t now);

/* The signature of the endpoint's own key. */
struct jose_signer app_signer(const struct app *app);

/* The port's clock, or else the one that the mirror's verified answer has set. */
bool app_time(const struct app *app, uint64_t now, uint64_t *seconds);

/* Writes location, and "/path" if that is not NULL, into update_path. */
int app_path_write(struct app *app, const char *path);

bool app_text_equal(const char *a, const char *b);

/* ---- app.c ---- */

void app_report(const struct app *app, struct app_event event);
void app_go_to_sleep(struct app *app, uint64_t now);
/* What we did not manage. */
void app_failed(struct app *app, int error, uint64_t now);
/* What the mirror did not take. */
void app_refused(struct app *app, const struct coap_answer *answer);
/* 4.29 and 5.03 say in Max-Age when to come back (RFC 8516; RFC 7252, 5.9.3.4). */
void app_heed_pause(struct app *app, const struct coap_answer *answer, uint64_t now);
/* After the registration, if there was one: commands if they are due, else the readings. */
void app_proceed(struct app *app, uint64_t now);
/* After the last reading: commands if they are due, else sleep. */
void app_rest(struct app *app, uint64_t now);

/* ---- register.c ---- */

/* Takes a key for the mirror's identity, unless another one was named. */
bool app_mirror_take(struct app *app, const uint8_t point[P256_PUBLIC_SIZE]);
/* Registers, after asking whom we register with if that is not known. */
void app_introduce(struct app *app, uint64_t now);
void app_question_answered(struct app *app, uint64_t now);
void app_registration_answered(struct app *app, uint64_t now);
/* 4.01, 4.04 and 4.09 mean that the mirror and we differ over who we are or where we stand: true
 * if that was one of them, and registering again was tried. */
bool app_cure(struct app *app, uint8_t code, uint64_t now);

/* ---- update.c ---- */

/* Measures and sends from the current sensor on, until an answer has to be waited for. */
void app_send_readings(struct app *app, uint64_t now);
void app_update_answered(struct app *app, uint64_t now);
void app_update_unanswered(struct app *app, uint64_t now);

/* ---- commands.c ---- */

struct app_commands {
    void (*check)(struct app *app, uint64_t now);
    void (*answered)(struct app *app, uint64_t now);
};

/* ---- encryption.c ---- */

struct app_encryption {
    /* The public half of a fresh key pair, for the registration about to be sent. */
    int (*offer)(struct app *app, uint8_t point[P256_PUBLIC_SIZE]);
    /* The key that follows from its verified answer. */
    int (*agree)(struct app *app, const struct jose_answer *said, const struct piece *registration);
    int (*seal)(const struct app *app, struct writer *out, const struct jose_update *update);
};

#endif
