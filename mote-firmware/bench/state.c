/*
 * One array for each kind of state, with the state's size. `make size` reads the sizes from the
 * object file, so they hold for the target's compiler.
 */
#include "mote/crypto.h"
#include "mote/ieee802154.h"
#include "mote/ipsec.h"
#include "mote/net.h"
#include "mote/rpl.h"
#include "mote/sixlowpan.h"

#define STATE(name)                                                                                \
    extern char state_##name[];                                                                    \
    char state_##name[sizeof(struct name)]

STATE(frame_counter);
STATE(lowpan_slot);
STATE(lowpan_receiver);
STATE(lowpan_sender);
STATE(rpl_node);
STATE(ipsec_sa);
STATE(net);
STATE(net_packet);
