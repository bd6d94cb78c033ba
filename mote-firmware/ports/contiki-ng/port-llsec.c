/*
 * Persistent frame counters for Contiki-NG's link security: this node's and its neighbours'.
 *
 * Contiki-NG sets its frame counter to 1 at every start, and thus repeats nonces under the same
 * key. This file replaces its anti_replay_set_counter (--wrap in the Makefile) and reserves
 * counters before use. If that fails, the key is wiped, so that frames sent afterwards are useless.
 * This file also checks counters of received frames, which Contiki-NG does not.
 */
#include "port-llsec.h"

#include "contiki-port.h"
#include "mote/link_counters.h"
#include "net/linkaddr.h"
#include "net/mac/anti-replay.h"
#include "net/mac/csma/csma.h"
#include "net/mac/llsec802154.h"
#include "net/packetbuf.h"

#if LLSEC802154_ENABLED
enum { SENDERS = MOTE_CONF_SENDERS };

/* One counter is for this node's frames, one entry for the key; associations take further counters
 * (port-ipsec.c). */
_Static_assert(SENDERS <= COUNTERS_MAX - 2, "MOTE_CONF_SENDERS: at most 22 are kept");

static struct {
    bool started; /* `next` is valid; the node's address is known only at the first frame */
    uint32_t next;
    struct frame_counter senders[SENDERS];
    struct frame_counters heard;
} frames;

void __wrap_anti_replay_set_counter(void);

void port_llsec_start(void)
{
    static const uint8_t key[AES_BLOCK] = MOTE_LINK_KEY;
    const struct aes128 aes = port_aes128();
    struct counter_store *counters = port_counters();

    /* Without its counters it hears nobody. */
    if (counters == NULL || link_counters_begin(counters, &aes, key) != MOTE_OK)
        return;
    frames.heard = (struct frame_counters){frames.senders, SENDERS};
    link_counters_restore(counters, &frames.heard);
}

void __wrap_anti_replay_set_counter(void)
{
    static const uint8_t no_key[AES_BLOCK];
    struct counter_store *counters = port_counters();
    frame802154_frame_counter_t counter;

    if (counters != NULL && !frames.started)
        frames.next = link_counters_own(counters, linkaddr_node_addr.u8);
    frames.started = true;
    if (counters == NULL ||
        link_counters_reserve(counters, linkaddr_node_addr.u8, frames.next) != MOTE_OK)
        csma_security_set_key(0, no_key);
    counter.u32 = LLSEC802154_HTONL(frames.next);
    frames.next++;
    packetbuf_set_attr(PACKETBUF_ATTR_FRAME_COUNTER_BYTES_0_1, counter.u16[0]);
    packetbuf_set_attr(PACKETBUF_ATTR_FRAME_COUNTER_BYTES_2_3, counter.u16[1]);
}

bool port_llsec_is_new(void)
{
    const uint8_t *sender = packetbuf_addr(PACKETBUF_ADDR_SENDER)->u8;
    const uint32_t counter = anti_replay_get_counter();
    struct counter_store *counters = port_counters();

    return counters != NULL && frame_replay_update(&frames.heard, sender, 0, counter) == MOTE_OK &&
           link_counters_save(counters, sender, counter) == MOTE_OK;
}
#else
void port_llsec_start(void)
{
}

bool port_llsec_is_new(void)
{
    return true;
}
#endif
