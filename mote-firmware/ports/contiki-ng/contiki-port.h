/*
 * The Contiki-NG port: the core's port interfaces on Contiki-NG's own modules. All functions run in
 * Contiki-NG's processes, which do not preempt each other.
 */
#ifndef MOTE_PORTS_CONTIKI_NG_PORT_H
#define MOTE_PORTS_CONTIKI_NG_PORT_H

#include "contiki.h"
#include "mote/counter_store.h"
#include "mote/crypto.h"
#include "mote/port/actuator.h"
#include "mote/port/sensor.h"
#include "mote/port/block_storage.h"
#include "mote/port/storage.h"

/* ---- time ---- */

/* Milliseconds since start. Must be called at least once in each period of clock_time() (a year at
 * the 128 ticks a second of a mote). */
uint64_t port_now(void);

/* Ticks of Contiki-NG's clock from `now` until `deadline`: at least 1, at most an hour. */
clock_time_t port_ticks(uint64_t now, uint64_t deadline);

/* ---- storage ---- */

/* Storage areas of two slots each, in files of the platform's file system. */
enum port_area { PORT_STATE, PORT_COUNTERS, PORT_AREAS };

struct storage port_storage(enum port_area area);

/* The storage of a block store, only for files on Coffee (port-blocks.c, BLOCKS=1). */
struct block_storage port_blocks(uint32_t segments);

/* The persistent counters of frames, ESP and AH. NULL if they cannot be read, which is printed
 * once; then packets that need a counter must not be sent or accepted. */
struct counter_store *port_counters(void);

/* True if this start may create missing records of sequence numbers, and the option or setting by
 * which the user allows it. */
#if CONTIKI_TARGET_NATIVE
#define PORT_NEW_ASSOCIATIONS "--new-sa"
#else
#define PORT_NEW_ASSOCIATIONS "NEW_SA=1"
#endif
bool port_associations_are_new(void);

/* ---- cryptography and randomness ---- */

/* The platform's cipher and hash, in hardware if it has them. The cipher is shared with link
 * security: callers use set_key before each use. */
struct aes128 port_aes128(void);
struct sha256 port_sha256(void);
struct p256 port_p256(void);

/* Contiki-NG's csprng; MOTE_E_IO unless it is seeded. */
struct random port_random(void);

/* ---- the stack ---- */

#if MOTE_ON_CC2538
/* Paints the stack, so that unused octets can be counted later. To be called once, near the top. */
void port_stack_paint(void);
size_t port_stack_unused(void);
#endif

/* ---- actuators ---- */

/* The resource `led`; commands are SenML-JSON with the value 0 or another. */
extern const struct actuator port_led;

/* ---- native nodes ---- */

#if CONTIKI_TARGET_NATIVE
/* The options of the command line (port-native.c). */
struct native_options {
    const char *ep;
    const char *mirror;
    const char *state;
    uint32_t wake_ms;
    char zep_host[64];
    char zep_port[8];
    uint8_t eui64[8];
    bool eui64_given;
    bool encrypt;
    bool new_sa;
    uint8_t commander[P256_PUBLIC_SIZE];
    bool commander_given;
};

const struct native_options *native_options(void);

/* The radio's EUI-64: the one from the option, else derived from the endpoint's name as in
 * vigil-mote. */
void native_eui64(uint8_t eui64[8]);

/* Removes the native platform's route to a host behind TUN, and makes timers exact. */
void native_start(void);

/* A sensor of this machine's load; false if there is none. */
bool native_sensor(struct sensor *sensor);
#endif

#endif
