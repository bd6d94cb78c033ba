/*
 * The Contiki-NG port: what the core asks of a platform, out of Contiki-NG's own modules. All of
 * it runs in Contiki-NG's processes, which never interrupt each other.
 */
#ifndef MOTE_PORTS_CONTIKI_NG_PORT_H
#define MOTE_PORTS_CONTIKI_NG_PORT_H

#include "contiki.h"
#include "mote/counter_store.h"
#include "mote/crypto.h"
#include "mote/port/actuator.h"
#include "mote/port/sensor.h"
#include "mote/port/storage.h"

/* ---- time ---- */

/* Milliseconds since start. To be called at least once while clock_time() goes round (a year at
 * the 128 ticks a second of a mote). */
uint64_t port_now(void);

/* Ticks of Contiki-NG's clock from `now` until `deadline`, at least 1 and at most an hour's. */
clock_time_t port_ticks(uint64_t now, uint64_t deadline);

/* ---- storage ---- */

/* What is kept lies in files of two slots each, on whatever file system the platform has. */
enum port_area { PORT_STATE, PORT_COUNTERS, PORT_AREAS };

struct storage port_storage(enum port_area area);

/* Counters of frames, ESP and AH that no restart turns back. NULL, and that is said once, when they
 * cannot be read: then nothing may be sent or taken that needs one. */
struct counter_store *port_counters(void);

/* ---- cryptography and randomness ---- */

/* The platform's cipher and hash, in hardware where it has them. Each is one for the whole mote
 * and is used by link security too: set_key before each use. */
struct aes128 port_aes128(void);
struct sha256 port_sha256(void);
struct p256 port_p256(void);

/* Contiki-NG's generator; it fails unless somebody has fed it. */
struct random port_random(void);

/* ---- the stack ---- */

#if MOTE_ON_CC2538
/* To be called once, from little depth; later, how many octets nobody has ever used. */
void port_stack_paint(void);
size_t port_stack_unused(void);
#endif

/* ---- what commands move ---- */

/* `led`: SenML-JSON whose value is 0 or not. */
extern const struct actuator port_led;

/* ---- a node's own ---- */

#if CONTIKI_TARGET_NATIVE
/* From the command line: see port-native.c. */
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
    uint8_t commander[P256_PUBLIC_SIZE];
    bool commander_given;
};

const struct native_options *native_options(void);

/* The radio's address: the one given, else made from the name as vigil-mote makes it. */
void native_eui64(uint8_t eui64[8]);

/* Takes away what the native platform assumes of a host behind TUN, and makes timers exact. */
void native_start(void);

/* Load of this machine, in percent. */
bool native_sensor(struct sensor *sensor);
#endif

#endif
