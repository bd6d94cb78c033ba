/*
 * The sleepy endpoint alone on a Cortex-M3, to measure flash and RAM. Built three times (rules.mk):
 * with encrypted updates and commands (ENCRYPT), with ESP (ESP) and with neither; and, only for its
 * size, with DTLS (DTLS).
 */
#include <string.h>

#include "board.h"
#include "endpoint.h"
#include "esp.h"
#include "nv.h"
#include "slip_radio.h"
#ifdef DTLS
#include "dtls_endpoint.h"
#endif

enum { WAKE_MS = 60 * 1000, UPTIME_PLACES = 0 };

static int uptime_read(void *context, struct decimal *value)
{
    (void)context;
    *value = (struct decimal){(int64_t)divide(board_ms(), 1000, NULL), UPTIME_PLACES};
    return MOTE_OK;
}

/* All static state. */
static struct {
    struct endpoint endpoint;
    struct slip_radio slip;
    struct frame_radio radio;
    br_sha256_context hash_state;
    struct sha256 hash;
#ifdef ENCRYPT
    br_aes_ct_cbcenc_keys aes_state;
    struct aes128 aes;
#endif
#ifdef ESP
    struct esp esp;
#endif
#ifdef DTLS
    struct dtls_endpoint secure;
#endif
} mote;

#ifdef ENCRYPT
/* Sets LED0 (FPGAIO, as in the board's reference manual). */
static int led_set(void *context, const char *cty, const uint8_t *payload, size_t len)
{
    struct decimal value;
    int error = senml_value_read(payload, len, &value);

    (void)context;
    (void)cty;
    if (error == MOTE_OK)
        board_led(value.digits != 0);
    return error;
}

static const struct actuator led = {"led", "led", led_set, NULL};
#endif

static struct endpoint_parts parts(void)
{
    struct endpoint_parts parts = {.ep = "cortex-m",
                                   .own = {0x02, 0x56, 0x49, 0x47, 0x49, 0x4c, 0xc0, 0x01},
                                   .mirror = {0x02, 0x56, 0x49, 0x47, 0x49, 0x4c, 0x00, 0x01},
                                   .radio = &mote.radio,
                                   .storage = nv_storage(),
                                   .random = nv_random(&mote.hash),
                                   .hash = mote.hash,
                                   .sensor = {"uptime", "uptime", "s", uptime_read, NULL},
                                   .wake_ms = WAKE_MS};
#ifdef ENCRYPT
    bearssl_aes128_forward(&mote.aes, &mote.aes_state);
    parts.encryption = &app_encryption;
    parts.aes = &mote.aes;
    parts.commands = &app_commands;
    parts.actuator = &led;
    parts.commander = (const uint8_t(*)[P256_PUBLIC_SIZE]) & nv.commander;
#endif
#ifdef ESP
    esp_init(&mote.esp);
    parts.guard = &mote.esp.guard;
#endif
    return parts;
}

/* A separate function, because the stack frame of main's loop is never released. */
__attribute__((noinline)) static int start(void)
{
    struct endpoint_parts given;
    int error;

    bearssl_sha256(&mote.hash, &mote.hash_state);
    mote.radio = slip_radio(&mote.slip);
    given = parts();
    error = endpoint_start(&mote.endpoint, &given, board_ms());
#ifdef DTLS
    /* The identity has 8 octets. Identity and key are loaded like an association's keys. */
    if (error == MOTE_OK)
        error = dtls_endpoint_start(&mote.secure, &mote.endpoint, nv.esp[0].keys, 8,
                                    nv.esp[0].keys + 8, 16);
#endif
    return error;
}

/* Handles one frame (NULL: none) and time-outs. */
static void turn(const uint8_t *psdu, size_t len)
{
#ifdef DTLS
    dtls_endpoint_turn(&mote.secure, psdu, len, board_ms());
#else
    endpoint_turn(&mote.endpoint, psdu, len, board_ms());
#endif
}

int main(void)
{
    int error;

    board_start();
    error = start();
    while (error == MOTE_OK) {
        const uint8_t *psdu;
        size_t len = slip_radio_receive(&mote.slip, &psdu);

        turn(len > 0 ? psdu : NULL, len);
        board_wait();
    }
    return error;
}
