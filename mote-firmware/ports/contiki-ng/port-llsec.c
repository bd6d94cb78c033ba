/*
 * Contiki-NG counts its secured frames from 1 after every start, and so repeats nonces under the
 * same key. The linker puts this in the place of its anti_replay_set_counter (the Makefile's
 * --wrap): numbers are saved ahead. When none can be, the key is thrown away: whatever goes out
 * then is of no use to anybody.
 */
#include "contiki-port.h"
#include "net/mac/csma/csma.h"
#include "net/mac/llsec802154.h"
#include "net/packetbuf.h"
#include "port-ipsec.h"

#if LLSEC802154_ENABLED
void __wrap_anti_replay_set_counter(void);

void __wrap_anti_replay_set_counter(void)
{
    static const uint8_t no_key[AES_BLOCK];
    uint32_t number = 0;
    frame802154_frame_counter_t counter;

    if (!port_take_frame_number(&number))
        csma_security_set_key(0, no_key);
    counter.u32 = LLSEC802154_HTONL(number);
    packetbuf_set_attr(PACKETBUF_ATTR_FRAME_COUNTER_BYTES_0_1, counter.u16[0]);
    packetbuf_set_attr(PACKETBUF_ATTR_FRAME_COUNTER_BYTES_2_3, counter.u16[1]);
}
#endif
