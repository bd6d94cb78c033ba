/* Encrypted updates (docs/protocol.md section 7): each registration carries a new public key. The
 * update key is derived from this key and the public key in the answer. */
#include "encryption.h"

#include "messages.h"

static int offer(struct app *app, uint8_t point[P256_PUBLIC_SIZE])
{
    const struct p256 *curve = app->config.curve;
    int error = curve->generate(curve->context, app->config.random, app->ephemeral);

    return error != MOTE_OK ? error : curve->public_key(curve->context, app->ephemeral, point);
}

static int agree(struct app *app, const struct jose_answer *answer,
                 const struct piece *registration)
{
    const struct jose_signer signer = app_signer(app);
    int error = answer->agreed ? jose_cipher_agree(&app->cipher, &signer, app->ephemeral,
                                                   answer->ephemeral, registration)
                               : MOTE_E_UNSUPPORTED;

    app->cipher.number = answer->key_number;
    wipe(app->ephemeral, sizeof app->ephemeral);
    return error;
}

static int seal(const struct app *app, struct writer *out, const struct jose_update *update)
{
    const struct jose_signer signer = app_signer(app);

    return jose_update_sealed(out, &signer, update, &app->cipher);
}

const struct app_encryption app_encryption = {offer, agree, seal};
