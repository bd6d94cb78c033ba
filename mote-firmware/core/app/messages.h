/* Requests: composes, signs and sends them. */
#ifndef MOTE_CORE_APP_MESSAGES_H
#define MOTE_CORE_APP_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "mote/app.h"
#include "mote/coap.h"
#include "mote/jose.h"

/* Fills the queries and the tag of the registration. MOTE_E_SPACE if they do not fit. */
int app_prepare_registration(struct app *app);

/* Starts an exchange. Errors as for coap_client_start; MOTE_E_IO without entropy. */
int app_request(struct app *app, const struct coap_request *request, uint64_t now);

/* Sign and send the registration, or an update: the reading of the current sensor, or in REFUSING
 * the reason why the command `app->command` was not carried out. Each call takes a new sequence
 * number. MOTE_E_UNSUPPORTED: the sensor gave no value, and no number was taken. */
int app_send_registration(struct app *app, uint64_t now);
int app_send_update(struct app *app, uint64_t now);

/* The resource to which refusals of commands are sent: docs/protocol.md section 8. */
#define APP_RESULT_PATH ".result"

/* A signer with the endpoint's own key. */
struct jose_signer app_signer(const struct app *app);

/* Writes the location, and "/path" if `path` is not NULL, into update_path. */
int app_path_write(struct app *app, const char *path);

bool app_text_equal(const char *a, const char *b);

#endif
