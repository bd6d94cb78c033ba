/* Between the files of the endpoint: what is sent, apart from when. */
#ifndef MOTE_APP_INTERNAL_H
#define MOTE_APP_INTERNAL_H

#include "mote/app.h"

/* Fills the queries and the tag of what we register. */
int app_describe(struct app *app);

/* Asks for the mirror's identity key. */
int app_send_question(struct app *app, uint64_t now);

/* Signs and sends the registration, or the reading of the current sensor. A number is taken each
 * time. MOTE_E_UNSUPPORTED: the sensor did not answer, no number was taken. */
int app_send_registration(struct app *app, uint64_t now);
int app_send_update(struct app *app, uint64_t now);

/* The signature of the endpoint's own key. */
struct jose_signer app_signer(const struct app *app);

#endif
