/* Registration, and the mirror's identity key that verifies its answers. */
#ifndef MOTE_CORE_APP_REGISTER_H
#define MOTE_CORE_APP_REGISTER_H

#include <stdbool.h>
#include <stdint.h>

#include "mote/app.h"
#include "mote/crypto.h"
#include "step.h"

/* Uses `point` as the mirror's identity key. False if the configuration names another key. */
bool app_set_mirror_key(struct app *app, const uint8_t point[P256_PUBLIC_SIZE]);

/* Sends the registration, or first a request for the mirror's identity key. */
enum app_step app_register(struct app *app, uint64_t now);

enum app_step app_mirror_key_answered(struct app *app, uint64_t now);
enum app_step app_registration_answered(struct app *app, uint64_t now);

#endif
