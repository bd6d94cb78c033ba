#include "station.h"

#include "rpl.h"

struct dice dice = {31};
static struct bearssl_aes128 aes_state;
struct aes128 aes;
const struct ipsec_crypto crypto = {&aes, NULL, NULL};
const struct lowpan_context mesh_context = {64, {0xfd}, true};
const uint8_t network_key[16] = "a network's key";

static int roll(void *context, uint8_t *out, size_t len)
{
    dice_fill(context, out, len);
    return 0;
}

const struct random chance = {roll, &dice};

void stations_init(void)
{
    bearssl_aes128(&aes, &aes_state);
}

struct ipsec_sa make_sa(uint32_t spi, uint8_t key)
{
    struct ipsec_sa sa = {.protocol = &ipsec_esp,
                          .spi = spi,
                          .cipher = &ipsec_aes_ctr,
                          .integrity = &ipsec_xcbc_96,
                          .key = {key},
                          .integrity_key = {key, 1},
                          .reserved = 1000};
    return sa;
}

void set_up(struct station *station, uint8_t id, uint8_t level, bool routed, uint32_t now)
{
    struct net *net = &station->net;
    struct link_address link = node_link(id);
    memset(station, 0, sizeof *station);
    memcpy(net->eui, link.octets, 8);
    net->pan = PAN;
    net->routed = routed;
    net->lowpan = (struct lowpan){.contexts = &mesh_context, .context_count = 1};
    lowpan_receiver_init(&net->receiver, station->slots, 2, station->datagrams_in[0], IPV6_MTU,
                         station->single, sizeof station->single);
    net_queue_init(net, station->queue, QUEUE, station->packets[0], IPV6_MTU);
    net->ipsec_compressed = true;
    net->security = (struct net_security){
        .level = level, .aes = &aes, .reserved = 1U << 20, .replay = {station->heard, LAST + 1}};
    memcpy(net->security.key, network_key, 16);
    if (net_start(net, &chance, now) != MOTE_OK)
        abort();
}
