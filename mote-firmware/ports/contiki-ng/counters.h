/*
 * Counters that no restart may repeat: numbers of ESP and AH both ways, and of frames under link
 * security. Each is saved ahead by its owner; here they lie in one record, in two slots written in
 * turn as mote/store.h does it.
 */
#ifndef MOTE_PORTS_CONTIKI_NG_COUNTERS_H
#define MOTE_PORTS_CONTIKI_NG_COUNTERS_H

#include "mote/crypto.h"
#include "mote/port/storage.h"

enum counter { COUNTER_SENT, COUNTER_HEARD, COUNTER_FRAME, COUNTERS };

struct counters {
    const struct storage *storage;
    const struct sha256 *hash;
    uint32_t generation; /* of the newest whole record; it lies in slot generation % 2 */
    uint32_t saved[COUNTERS];
};

/* All are 0 on a mote that never saved any. MOTE_E_MALFORMED when something was saved and nothing
 * of it is whole: then nothing may be sent. */
int counters_open(struct counters *counters, const struct storage *storage,
                  const struct sha256 *hash);

/* 0 only after the value is where power loss does not reach it. */
int counters_save(struct counters *counters, enum counter counter, uint32_t value);

#endif
