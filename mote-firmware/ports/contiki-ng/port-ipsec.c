/*
 * IPsec at Contiki-NG's hook, which is called before the IP layer gets a packet, and again before a
 * packet is sent, with RPL headers. In between, forwarded packets are masked (packets.h). The build
 * converts the file that SA names into an array of associations. Their sequence numbers are in the
 * counter store (mote/sa_entries.h).
 */
#include "port-ipsec.h"

#include <stdio.h>
#include <string.h>

#include "contiki-port.h"
#include "mote/crypto_bearssl.h"
#include "mote/sa_entries.h"
#include "net/ipv6/uip-ds6.h"
#include "net/ipv6/uip.h"
#include "net/netstack.h"
#include "packets.h"
#include "port-store.h"

#ifdef MOTE_ASSOCIATIONS
#include MOTE_ASSOCIATIONS

enum { COUNT = sizeof associations / sizeof associations[0] };

#ifdef MOTE_LINK_KEY
enum { LINK_COUNTERS = MOTE_CONF_SENDERS + 2 };
#else
enum { LINK_COUNTERS = 0 };
#endif
/* Each association of the block store has a counter for packets and one for blocks. */
_Static_assert(COUNT + LINK_COUNTERS + 2 * PORT_STORE_ASSOCIATIONS <= COUNTERS_MAX,
               "associations and MOTE_CONF_SENDERS: at most 24 in all, 2 for the own frames, 4 for "
               "the block store");
#endif

/* The inverse cipher, needed for AES-CBC decryption. Contiki-NG's drivers lack it. */
struct inverse {
    uint8_t key[AES_BLOCK];
    br_aes_ct_cbcdec_keys schedule;
    bool ready;
};

static struct {
    struct packet_policy policy;
    uint8_t masked; /* the protocol of the packet being forwarded; 0: none */
#ifdef MOTE_ASSOCIATIONS
    struct counter_store *counters; /* NULL: nothing is sent or accepted */
    uint8_t names[COUNT + PORT_STORE_ASSOCIATIONS][COUNTER_NAME]; /* the block store's are last */
    struct net_peer peers[COUNT];
    struct aes128 cipher; /* Contiki-NG's driver */
    struct inverse inverse;
    struct aes128 both_ways;
    br_sha1_context sha1_state;
    struct sha1 sha1;
    struct sha256 sha256;
    struct ipsec_crypto crypto;
    uint32_t refused;
    uint8_t packet[UIP_BUFSIZE];
#endif
} guard;

/* ---- the associations ---- */

#ifdef MOTE_ASSOCIATIONS
static void aes_set_key(void *context, const uint8_t key[AES_BLOCK])
{
    (void)context;
    guard.cipher.set_key(NULL, key);
    memcpy(guard.inverse.key, key, AES_BLOCK);
    guard.inverse.ready = false;
}

static void aes_decrypt(void *context, uint8_t block[AES_BLOCK])
{
    uint8_t iv[AES_BLOCK] = {0};

    (void)context;
    if (!guard.inverse.ready)
        br_aes_ct_cbcdec_init(&guard.inverse.schedule, guard.inverse.key, AES_BLOCK);
    guard.inverse.ready = true;
    br_aes_ct_cbcdec_run(&guard.inverse.schedule, iv, block, AES_BLOCK);
}

/* Resumes an association; without its counter it neither sends nor accepts anything. */
static void resume(struct sa_entry *entry, const uint8_t name[COUNTER_NAME])
{
    int error = guard.counters != NULL
                    ? sa_entry_resume(entry, guard.counters, name, port_associations_are_new())
                    : MOTE_E_IO;

    if (error == MOTE_E_STATE)
        printf("association of line %u: there is no record of its sequence numbers, so it is not "
               "used: give both ends a new key and start once with " PORT_NEW_ASSOCIATIONS "\n",
               entry->line);
    else if (error != MOTE_OK)
        printf("association of line %u: its counter cannot be stored, so it is not used\n",
               entry->line);
}

static void start_associations(void)
{
    bearssl_sha1(&guard.sha1, &guard.sha1_state);
    guard.counters = port_counters();
    guard.sha256 = port_sha256();
    guard.cipher = port_aes128();
    guard.both_ways = (struct aes128){
        .set_key = aes_set_key, .encrypt = guard.cipher.encrypt, .decrypt = aes_decrypt};
    guard.crypto = (struct ipsec_crypto){&guard.both_ways, &guard.sha1, &guard.sha256};
    for (size_t i = 0; i < COUNT; i++)
        sa_entry_name(&associations[i], &guard.sha256, guard.names[i]);
    if (guard.counters != NULL)
        counter_store_keep(guard.counters, (const uint8_t(*)[COUNTER_NAME])guard.names,
                           COUNT + port_store_names(&guard.sha256, guard.names + COUNT));
    for (size_t i = 0; i < COUNT; i++)
        resume(&associations[i], guard.names[i]);
    guard.policy.peers = guard.peers;
    guard.policy.count = sa_entries_peers(associations, COUNT, guard.peers);
}

static int save(const struct ipsec_sa *sa)
{
    size_t i = 0;

    while (&associations[i].sa != sa)
        i++;
    return guard.counters != NULL ? sa_entry_save(&associations[i], guard.counters, guard.names[i])
                                  : MOTE_E_STATE;
}

/* Makes the result of a layer the packet. Returns its length, or the error. */
static int take(int len)
{
    if (len > UIP_BUFSIZE)
        return MOTE_E_SPACE;
    if (len > 0) {
        memcpy(uip_buf, guard.packet, (size_t)len);
        uip_len = (uint16_t)len;
    }
    return len;
}

static int seal_layer(struct ipsec_sa *sa)
{
    int error = save(sa);

    return error != MOTE_OK ? error
                            : take(ipsec_seal(sa, &guard.crypto, uip_buf, uip_len, guard.packet,
                                              sizeof guard.packet));
}

/* Opens a layer. A packet whose number cannot be stored is dropped, because it could be accepted
 * again after a restart. */
static int open_layer(struct ipsec_sa *sa)
{
    const struct ipsec_sa before = *sa;
    int len;

    if (!packet_is_under(sa, uip_buf, uip_len))
        return MOTE_E_STATE;
    len = ipsec_open(sa, &guard.crypto, uip_buf, uip_len, guard.packet, sizeof guard.packet);
    if (len > 0 && save(sa) != MOTE_OK) {
        *sa = before;
        len = MOTE_E_IO;
    }
    return take(len);
}

static enum netstack_ip_action finish(int len)
{
    guard.refused += len <= 0;
    return len > 0 ? NETSTACK_IP_PROCESS : NETSTACK_IP_DROP;
}

/* Seals a packet: ESP first, then AH around it. */
static enum netstack_ip_action seal(const struct net_peer *peer)
{
    int len = seal_layer(peer->out);

    if (len > 0 && peer->ah_out != NULL)
        len = seal_layer(peer->ah_out);
    return finish(len);
}

/* Opens every agreed layer. A packet with a further layer is dropped. */
static enum netstack_ip_action open(const struct net_peer *peer)
{
    int len = peer->ah_in != NULL ? open_layer(peer->ah_in) : uip_len;

    if (len > 0)
        len = open_layer(peer->in);
    if (len > 0 && packet_is_protected(uip_buf, uip_len))
        len = MOTE_E_STATE;
    return finish(len);
}
#else
static void start_associations(void)
{
}

static enum netstack_ip_action seal(const struct net_peer *peer)
{
    (void)peer;
    return NETSTACK_IP_PROCESS;
}

static enum netstack_ip_action open(const struct net_peer *peer)
{
    (void)peer;
    return NETSTACK_IP_PROCESS;
}
#endif

/* ---- the hook ---- */

static enum netstack_ip_action receiving(void)
{
    bool ours = uip_len >= UIP_IPH_LEN && uip_ds6_is_my_addr(&UIP_IP_BUF->destipaddr);
    const struct net_peer *peer;

    switch (packet_arriving(&guard.policy, uip_buf, uip_len, ours, &peer)) {
    case PACKET_OPEN:
        return open(peer);
    case PACKET_MASK:
        guard.masked = packet_mask(uip_buf, uip_len);
        break;
    case PACKET_DROP:
        return NETSTACK_IP_DROP;
    case PACKET_PASS:
    case PACKET_PROTECT:
        break;
    }
    return NETSTACK_IP_PROCESS;
}

static enum netstack_ip_action sending(const linkaddr_t *to)
{
    bool ours = uip_len >= UIP_IPH_LEN && uip_ds6_is_my_addr(&UIP_IP_BUF->srcipaddr);
    const struct net_peer *peer;

    (void)to;
    /* A packet that this node sends meanwhile, such as an ICMPv6 error, is not the one being
     * forwarded. */
    if (guard.masked != 0 && !ours)
        packet_unmask(uip_buf, uip_len, guard.masked);
    if (packet_leaving(&guard.policy, uip_buf, uip_len, ours, &peer) == PACKET_PROTECT)
        return seal(peer);
    return NETSTACK_IP_PROCESS;
}

static struct netstack_ip_packet_processor processor = {NULL, receiving, sending};

bool port_ipsec_both_ways(const struct ipv6_address *address)
{
    for (size_t i = 0; i < guard.policy.count; i++) {
        const struct net_peer *peer = &guard.policy.peers[i];

        if (ipv6_equal(&peer->address, address))
            return peer->in != NULL && peer->out != NULL;
    }
    return false;
}

void port_ipsec_settle(void)
{
    guard.masked = 0;
}

void port_ipsec_start(void)
{
    start_associations();
    netstack_ip_packet_processor_add(&processor);
}
