/*
 * The block store of the application. Its associations are the lines `store` of the file that SA
 * names; of two, the last one has the new key. A request is answered from the application's
 * process, because Contiki-NG has one packet buffer. Blocks leave as finished ESP, which the hook
 * of port-ipsec.c does not touch.
 */
#define MOTE_STORED_ASSOCIATIONS 1
#include "port-store.h"

#ifdef MOTE_CONF_STORE
#include <stdio.h>
#include <string.h>

#include "../../apps/store_serve.h"
#include "mote/coap.h"
#include "mote/sa_entries.h"
#include "net/ipv6/tcpip.h"
#include "net/ipv6/uip.h"
#include "net/ipv6/uipbuf.h"
#include "port-ipsec.h"
#ifdef MOTE_ASSOCIATIONS
#include MOTE_ASSOCIATIONS
#else
#error "STORE needs SA with a line store: stored blocks are ESP packets"
#endif

enum {
    STORED = sizeof stored_associations / sizeof stored_associations[0],
    PACE_MS = 50, /* between blocks: two frames each over several hops */
    SZX = 2,      /* 64 octets a block: one frame each */
    REQUEST_MAX = 128,
    ANSWER_MAX = 128,
    BODY_MAX = 256
};

_Static_assert((int)STORED <= (int)PORT_STORE_ASSOCIATIONS,
               "SA: one line store, or two while its key is changed");

static struct {
    struct store_serve serve;
    struct block_storage storage;
    struct aes128 aes;
    struct sha256 sha256;
    struct ipsec_crypto crypto;
    struct counter_store *counters;
    uint8_t names[PORT_STORE_ASSOCIATIONS][COUNTER_NAME];
    uint8_t numbers[COUNTER_NAME];
    struct coap_server server;
    uint8_t body[BODY_MAX];
    uint8_t request[REQUEST_MAX];
    uint16_t request_len; /* 0: there is none */
    uip_ipaddr_t from;
    uint16_t from_port;
    uint16_t id;
    uint8_t answer[ANSWER_MAX];
    uint64_t next_block;
    uint8_t packet[BLOCK_STORE_PACKET_MAX];
} kept;

static int reserve(void *context, uint32_t last)
{
    (void)context;
    return counter_store_reserve(kept.counters, kept.numbers, last, 1);
}

static bool may_ask(void *context, struct ipv6_address *requester)
{
    (void)context;
    memcpy(requester->octets, kept.from.u8, sizeof requester->octets);
    return port_ipsec_both_ways(requester);
}

static int save_number(void *context, struct ipsec_sa *sa)
{
    size_t i = 0;

    (void)context;
    while (&stored_associations[i].sa != sa)
        i++;
    return sa_entry_save(&stored_associations[i], kept.counters, kept.names[i]);
}

static void keep(void *context, size_t sensor, struct decimal value, uint64_t time, uint64_t seq)
{
    int error = store_serve_keep(&kept.serve, sensor, value, time, seq);

    (void)context;
    if (error != MOTE_OK)
        printf("a reading is not stored: error %d\n", error);
}

size_t port_store_names(const struct sha256 *hash,
                        uint8_t names[PORT_STORE_ASSOCIATIONS][COUNTER_NAME])
{
    for (size_t i = 0; i < STORED; i++)
        sa_entry_name(&stored_associations[i], hash, names[i]);
    return STORED;
}

static int resume(void)
{
    size_t count = port_store_names(&kept.sha256, kept.names);
    int error = MOTE_OK;

    for (size_t i = 0; i < count && error == MOTE_OK; i++)
        error = sa_entry_resume(&stored_associations[i], kept.counters, kept.names[i],
                                port_associations_are_new());
    memcpy(kept.numbers, kept.names[STORED - 1], COUNTER_NAME);
    kept.numbers[0] = COUNTER_BLOCKS;
    return error;
}

static int open_store(const struct app_config *config)
{
    struct sa_entry *entry = &stored_associations[STORED - 1];
    uint32_t limit = counter_store_limit(kept.counters, kept.numbers); /* last + 1 */
    const struct block_store_config store = {.storage = &kept.storage,
                                             .sa = &entry->sa,
                                             .previous =
                                                 STORED == 2 ? &stored_associations[0].sa : NULL,
                                             .crypto = &kept.crypto,
                                             .source = entry->source,
                                             .destination = entry->destination,
                                             .payload_size = BLOCK_STORE_PAYLOAD_MAX,
                                             .full = BLOCK_STORE_OVERWRITE_OLDEST,
                                             .mode = BLOCK_STORE_NEW_ICV,
                                             .limit = limit > 0 ? limit - 1 : 0,
                                             .reserve = reserve};
    const struct store_node node = {.may_ask = may_ask,
                                    .save_number = save_number,
                                    .sensors = config->sensors,
                                    .sensor_count = config->sensor_count};

    return store_serve_open(&kept.serve, &store, &node, store_serve_paths);
}

int port_store_open(struct app_config *config)
{
    int error;

    kept.storage = port_blocks(MOTE_CONF_STORE);
    kept.aes = port_aes128();
    kept.sha256 = port_sha256();
    kept.crypto = (struct ipsec_crypto){&kept.aes, NULL, &kept.sha256};
    kept.counters = port_counters();
    error = kept.counters == NULL ? MOTE_E_IO : resume();
    if (error == MOTE_OK)
        error = open_store(config);
    if (error != MOTE_OK) {
        printf("block store: error %d%s\n", error,
               error == MOTE_E_STATE ? ": there is no record of its numbers: give both ends a new "
                                       "key and start once with " PORT_NEW_ASSOCIATIONS
                                     : "");
        return error;
    }
    kept.server = (struct coap_server){.resources = kept.serve.resources,
                                       .resource_count = STORE_SERVE_RESOURCES,
                                       .block_szx = SZX,
                                       .body = kept.body,
                                       .body_size = sizeof kept.body};
    config->keep = keep;
    return MOTE_OK;
}

bool port_store_receive(const uip_ipaddr_t *from, uint16_t from_port, const uint8_t *data,
                        uint16_t len)
{
    struct coap_message message;

    if (len > sizeof kept.request || coap_parse(&message, data, len) != MOTE_OK ||
        message.type > COAP_NON || message.code == 0 || message.code >> 5 != 0)
        return false;
    if (kept.request_len == 0) { /* else its client retransmits */
        memcpy(kept.request, data, len);
        kept.request_len = len;
        kept.from = *from;
        kept.from_port = from_port;
    }
    return true;
}

uint16_t port_store_answer(const uint8_t **answer, uip_ipaddr_t *to, uint16_t *to_port)
{
    uint16_t len = 0;

    if (kept.request_len > 0)
        len = (uint16_t)coap_serve(&kept.server, kept.request, kept.request_len, kept.id++,
                                   kept.answer, sizeof kept.answer);
    kept.request_len = 0;
    *answer = kept.answer;
    *to = kept.from;
    *to_port = kept.from_port;
    return len;
}

static void send_block(void)
{
    size_t len = store_serve_packet(&kept.serve, kept.packet, sizeof kept.packet);

    if (len == 0)
        return;
    uipbuf_clear();
    memcpy(uip_buf, kept.packet, len);
    uip_len = (uint16_t)len;
    tcpip_ipv6_output();
}

uint64_t port_store_run(bool asleep, uint64_t now)
{
    if (asleep && store_serve_settle(&kept.serve) != MOTE_OK)
        printf("readings are not stored yet\n");
    if (kept.serve.burst != 0 && now >= kept.next_block) {
        send_block();
        kept.next_block = now + PACE_MS;
    }
    return kept.serve.burst != 0 ? kept.next_block : UINT64_MAX;
}

void port_store_acknowledged(void)
{
    store_serve_acknowledged(&kept.serve);
}
#endif
