/* Encrypted updates, for a configuration that points at app_encryption. */
#ifndef MOTE_CORE_APP_ENCRYPTION_H
#define MOTE_CORE_APP_ENCRYPTION_H

#include "mote/app.h"
#include "mote/base.h"
#include "mote/crypto.h"
#include "mote/jose.h"

struct app_encryption {
    /* Makes a key pair for the registration about to be sent and writes its public half. */
    int (*offer)(struct app *app, uint8_t point[P256_PUBLIC_SIZE]);
    /* Derives the key from the verified answer to `registration`. */
    int (*agree)(struct app *app, const struct jose_answer *answer,
                 const struct piece *registration);
    /* Appends the signed and encrypted update. */
    int (*seal)(const struct app *app, struct writer *out, const struct jose_update *update);
};

#endif
