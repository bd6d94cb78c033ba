/*
 * IPsec at Contiki-NG's hook, which is called before its IP layer gets a packet, and again before a
 * packet is sent, with RPL headers. In between forwarded packets are masked (packets.h).
 *
 * Sequence numbers are reserved SENT_STEP at a time before the first is used. The replay window's
 * top is stored every COUNTERS_RECEIVED_STEP packets and continues as far above after a restart, so
 * that no packet is accepted twice (docs/protocol.md section 10).
 */
#include "port-ipsec.h"

#include <stdio.h>
#include <string.h>

#include "contiki-port.h"
#include "mote/crypto_bearssl.h"
#include "net/ipv6/uip-ds6.h"
#include "net/ipv6/uip.h"
#include "net/ipv6/uiplib.h"
#include "net/netstack.h"
#include "packets.h"

enum { SENT_STEP = 256 };

/* The inverse cipher for AES-CBC decryption, which Contiki-NG's drivers lack. */
struct inverse {
    uint8_t key[AES_BLOCK];
    br_aes_ct_cbcdec_keys schedule;
    bool ready;
};

static struct {
    struct packet_policy policy;
    uint8_t masked; /* the protocol of the packet being forwarded; 0: none */
#ifdef MOTE_SA_PEER
    struct counter_store *counters; /* NULL: nothing is sent or accepted */
    struct ipsec_sa out;
    struct ipsec_sa in;
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

#ifdef MOTE_SA_PEER
static const uint8_t SENT[COUNTER_NAME] = "sent";
static const uint8_t HEARD[COUNTER_NAME] = "heard";

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

static void resume(void)
{
    if (guard.counters == NULL)
        return;
    guard.out.sent = guard.out.reserved = counter_store_limit(guard.counters, SENT);
    guard.in.top = counter_store_limit(guard.counters, HEARD);
    guard.in.window = guard.in.top > 0 ? UINT64_MAX : 0; /* all lower numbers count as received */
}

static void start_associations(void)
{
    uip_ipaddr_t peer;

    guard.out = (struct ipsec_sa)MOTE_SA_OUT;
    guard.in = (struct ipsec_sa)MOTE_SA_IN;
    bearssl_sha1(&guard.sha1, &guard.sha1_state);
    guard.counters = port_counters();
    guard.sha256 = port_sha256();
    guard.cipher = port_aes128();
    guard.both_ways = (struct aes128){aes_set_key, guard.cipher.encrypt, aes_decrypt, NULL};
    guard.crypto = (struct ipsec_crypto){&guard.both_ways, &guard.sha1, &guard.sha256};
    if (!uiplib_ipaddrconv(MOTE_SA_PEER, &peer) ||
        ipsec_check(&guard.out, &guard.crypto) != MOTE_OK ||
        ipsec_check(&guard.in, &guard.crypto) != MOTE_OK) {
        printf("MOTE_SA_PEER, MOTE_SA_OUT or MOTE_SA_IN is invalid: nothing is sent to the peer\n");
        guard.counters =
            NULL; /* without numbers nothing is sent, and nothing in the clear is accepted */
    }
    memcpy(guard.policy.peer.octets, peer.u8, sizeof guard.policy.peer.octets);
    guard.policy.out = &guard.out;
    guard.policy.in = &guard.in;
    resume();
}

static enum netstack_ip_action replace(int len)
{
    if (len <= 0 || len > UIP_BUFSIZE) {
        guard.refused++;
        return NETSTACK_IP_DROP;
    }
    memcpy(uip_buf, guard.packet, (size_t)len);
    uip_len = (uint16_t)len;
    return NETSTACK_IP_PROCESS;
}

static enum netstack_ip_action seal(void)
{
    const uint32_t next = guard.out.sent + 1;

    if (guard.counters == NULL ||
        counter_store_reserve(guard.counters, SENT, next, SENT_STEP) != MOTE_OK)
        return replace(MOTE_E_STATE);
    guard.out.reserved = counter_store_limit(guard.counters, SENT);
    return replace(
        ipsec_seal(&guard.out, &guard.crypto, uip_buf, uip_len, guard.packet, sizeof guard.packet));
}

/* A packet whose number cannot be stored is dropped: it could be accepted again after a restart. */
static enum netstack_ip_action open(void)
{
    const struct ipsec_sa before = guard.in;
    int len = guard.counters != NULL ? ipsec_open(&guard.in, &guard.crypto, uip_buf, uip_len,
                                                  guard.packet, sizeof guard.packet)
                                     : MOTE_E_STATE;

    if (len > 0 && counter_store_reserve(guard.counters, HEARD, guard.in.top,
                                         COUNTERS_RECEIVED_STEP) != MOTE_OK) {
        guard.in = before;
        len = MOTE_E_IO;
    }
    return replace(len);
}
#else
static void start_associations(void)
{
}

static enum netstack_ip_action seal(void)
{
    return NETSTACK_IP_PROCESS;
}

static enum netstack_ip_action open(void)
{
    return NETSTACK_IP_PROCESS;
}
#endif

/* ---- the hook ---- */

static enum netstack_ip_action receiving(void)
{
    bool ours = uip_len >= UIP_IPH_LEN && uip_ds6_is_my_addr(&UIP_IP_BUF->destipaddr);

    switch (packet_arriving(&guard.policy, uip_buf, uip_len, ours)) {
    case PACKET_OPEN:
        return open();
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

    (void)to;
    /* An own packet sent meanwhile, such as an ICMPv6 error, is not the one being forwarded. */
    if (guard.masked != 0 && !ours)
        packet_unmask(uip_buf, uip_len, guard.masked);
    if (packet_leaving(&guard.policy, uip_buf, uip_len, ours) == PACKET_PROTECT)
        return seal();
    return NETSTACK_IP_PROCESS;
}

static struct netstack_ip_packet_processor processor = {NULL, receiving, sending};

void port_ipsec_settle(void)
{
    guard.masked = 0;
}

void port_ipsec_start(void)
{
    start_associations();
    netstack_ip_packet_processor_add(&processor);
}
