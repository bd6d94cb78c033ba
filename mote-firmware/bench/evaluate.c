/*
 * Measures ciphers, IPsec, link security and the block store at several sizes on a simulated
 * processor (cost.h), with three AES drivers: BearSSL's constant-time driver, its table-based one
 * (only to compare, because its timing depends on the key), and one without cost, which represents
 * hardware. The first two are also measured with the cache of an association. Prints lines "kind,
 * driver, operation, octets, cost", separated by tabs, for ./vigil evaluate.
 */
#include <string.h>

#include "cost.h"
#include "mote/block_store.h"
#include "mote/crypto_bearssl.h"
#include "mote/ieee802154.h"

/* Less on the ATmega2560, which has 8 KB of RAM. */
#ifndef EVALUATE_MOST
#define EVALUATE_MOST 512
#endif

enum {
    MOST = EVALUATE_MOST,
    AH_HEADERS = IPV6_HEADER_SIZE + 24,
    PACKET_MOST = MOST + 128,
    SEGMENT = 1024,
    LEVELS = 8,
    LABEL = 80
};

/* The cache of an association with XCBC. */
enum caching { NOTHING, SUBKEYS, EXPANDED };

static struct {
    char label[LABEL];
    size_t label_len;
    br_aes_ct_cbcenc_keys constant_state;
    struct bearssl_aes128_pair pair_state, own_state;
    br_aes_big_cbcenc_keys table_state;
    br_sha1_context sha1_state;
    struct aes128 aes, own;
    struct sha1 sha1;
    enum caching caching;
    struct ipsec_cache cache;
    struct ipsec_crypto crypto;
    const char *driver;
    size_t size;
    uint8_t key[16], iv[16];
    uint8_t data[MOST + AH_HEADERS];
    uint8_t packet[PACKET_MOST], sealed[PACKET_MOST], opened[PACKET_MOST];
    size_t packet_len, sealed_len;
    struct ipsec_sa sa;
    struct frame frame;
    uint8_t psdu[FRAME_MAX];
    size_t psdu_len;
    uint8_t segment[SEGMENT];
    /* Uses of the storage since they were last set to 0. */
    struct {
        size_t writes, written, read;
    } flash;
    struct block_store store;
    struct ipv6_address requester;
    int result;
} eval;

/* ---- AES drivers ---- */

static void table_set_key(void *context, const uint8_t key[AES_BLOCK])
{
    br_aes_big_cbcenc_init(context, key, AES_BLOCK);
}

static void table_encrypt(void *context, uint8_t block[AES_BLOCK])
{
    uint8_t iv[AES_BLOCK] = {0};
    br_aes_big_cbcenc_run(context, iv, block, AES_BLOCK);
}

static void free_set_key(void *context, const uint8_t key[AES_BLOCK])
{
    (void)context;
    (void)key;
}

static void free_block(void *context, uint8_t block[AES_BLOCK])
{
    (void)context;
    (void)block;
}

/* ---- measuring ---- */

static void add_text(const char *text)
{
    while (*text != '\0' && eval.label_len + 1 < LABEL)
        eval.label[eval.label_len++] = *text++;
    eval.label[eval.label_len] = '\0';
}

static void add_number(size_t number)
{
    char digits[8] = {0};
    size_t at = sizeof digits - 1;

    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0 && at > 0);
    add_text(digits + at);
}

/* Begins a label with kind and driver. */
static void label(const char *kind)
{
    eval.label_len = 0;
    add_text(kind);
    add_text("\t");
    add_text(eval.driver);
    add_text("\t");
}

static void end_label(size_t size)
{
    add_text("\t");
    add_number(size);
}

/* Measures the operation of the label. */
static void measure(size_t size, void (*work)(void *context))
{
    end_label(size);
    cost_measure(eval.label, work);
    if (eval.result < 0)
        cost_fail("an operation failed");
}

static void measure_one(const char *kind, const char *what, size_t size,
                        void (*work)(void *context))
{
    label(kind);
    add_text(what);
    measure(size, work);
}

static const struct ipsec_integrity *integrity(void)
{
    return eval.caching == NOTHING ? &ipsec_xcbc_96 : &ipsec_xcbc_96_cached;
}

static void fill_cache(struct ipsec_sa *sa)
{
    if (eval.caching != NOTHING)
        ipsec_cache_init(&eval.cache, sa, &eval.aes, eval.caching == EXPANDED ? &eval.own : NULL);
}

/* ---- ciphers over the octets that they process ---- */

static void cbc(void *context)
{
    (void)context;
    eval.aes.set_key(eval.aes.context, eval.key);
    aes_cbc_encrypt(&eval.aes, eval.iv, eval.data, eval.size);
}

static void ctr(void *context)
{
    uint8_t counter[AES_BLOCK] = {0};

    (void)context;
    eval.aes.set_key(eval.aes.context, eval.key);
    aes_ctr(&eval.aes, counter, eval.data, eval.size);
}

static void xcbc(void *context)
{
    struct piece piece = {eval.data, eval.size};
    uint8_t mac[XCBC_MAC_SIZE];

    (void)context;
    switch (eval.caching) {
    case NOTHING:
        xcbc_mac_96(&eval.aes, eval.key, &piece, mac);
        break;
    case SUBKEYS:
        eval.aes.set_key(eval.aes.context, eval.cache.subkeys.k[0]);
        xcbc_mac(&eval.aes, &eval.cache.subkeys, &piece, mac);
        break;
    case EXPANDED:
        xcbc_mac(&eval.own, &eval.cache.subkeys, &piece, mac);
        break;
    }
}

static void hmac(void *context)
{
    struct piece piece = {eval.data, eval.size};
    uint8_t mac[SHA1_SIZE];

    (void)context;
    hmac_sha1(&eval.sha1, eval.key, sizeof eval.key, &piece, 1, mac);
}

static void measure_ciphers(void)
{
    static const struct {
        const char *name;
        void (*work)(void *context);
        size_t more; /* octets of headers that are covered too */
    } ciphers[] = {{"AES-CBC", cbc, 0},
                   {"AES-CTR", ctr, 0},
                   {"XCBC-96, ESP", xcbc, 0},
                   {"XCBC-96, AH", xcbc, AH_HEADERS},
                   {"HMAC-SHA1-96, ESP", hmac, 0},
                   {"HMAC-SHA1-96, AH", hmac, AH_HEADERS}};

    eval.sa = (struct ipsec_sa){.protocol = &ipsec_ah, .integrity = integrity()};
    fill_cache(&eval.sa);
    for (size_t i = 0; i < sizeof ciphers / sizeof ciphers[0]; i++)
        for (size_t size = 16; size <= MOST; size *= 2) {
            eval.size = size + ciphers[i].more;
            measure_one("cipher", ciphers[i].name, size, ciphers[i].work);
        }
}

/* ---- packets of IPsec ---- */

static void seal(void *context)
{
    (void)context;
    eval.result = ipsec_seal(&eval.sa, &eval.crypto, eval.packet, eval.packet_len, eval.sealed,
                             sizeof eval.sealed);
}

static void open(void *context)
{
    (void)context;
    eval.result = ipsec_open(&eval.sa, &eval.crypto, eval.sealed, eval.sealed_len, eval.opened,
                             sizeof eval.opened);
}

static void make_packet(size_t size)
{
    struct ipv6_address src = {{0xfd, [15] = 1}}, dst = {{0xfd, [15] = 2}};
    struct udp udp = {5683, 5683, eval.data, size};
    int len = ipv6_udp_packet(&udp, &src, &dst, eval.packet, sizeof eval.packet);

    if (len < 0)
        cost_fail("no packet");
    eval.packet_len = (size_t)len;
}

static void measure_ipsec(const char *name, const struct ipsec_sa *sa)
{
    for (size_t size = 8; size <= MOST; size *= 2) {
        make_packet(size);
        eval.sa = *sa;
        fill_cache(&eval.sa);
        label("ipsec");
        add_text(name);
        add_text(" seal");
        measure(size, seal);
        eval.sealed_len = (size_t)eval.result;
        label("ipsec");
        add_text(name);
        add_text(" open");
        measure(size, open);
    }
}

static void measure_packets(void)
{
    const struct ipsec_sa ah = {
        .protocol = &ipsec_ah, .integrity = integrity(), .spi = 1, .reserved = UINT32_MAX};
    struct ipsec_sa esp = ah;

    esp.protocol = &ipsec_esp;
    esp.cipher = &ipsec_aes_ctr;
    if (eval.caching != NOTHING && eval.aes.pair != NULL) {
        esp.cipher = &ipsec_aes_ctr_xcbc_96;
        esp.integrity = NULL;
    }
    measure_ipsec("AH", &ah);
    measure_ipsec("ESP", &esp);
}

/* ---- frames ---- */

static void frame_sealing(void *context)
{
    (void)context;
    if (eval.frame.secured)
        eval.aes.set_key(eval.aes.context, eval.key);
    eval.result = eval.frame.secured ? frame_seal(&eval.frame, &eval.aes, eval.frame.src.octets,
                                                  eval.psdu, sizeof eval.psdu)
                                     : frame_write(&eval.frame, eval.psdu, sizeof eval.psdu);
}

static void frame_opening(void *context)
{
    struct frame frame;

    (void)context;
    eval.result = frame_parse(&frame, eval.psdu, eval.psdu_len);
    if (eval.result != MOTE_OK || !frame.secured)
        return;
    eval.aes.set_key(eval.aes.context, eval.key);
    eval.result = frame_open(&frame, eval.psdu, &eval.aes, frame.src.octets);
}

static void label_of_level(uint8_t level, const char *what)
{
    label("frame");
    add_text("level ");
    add_number(level);
    add_text(what);
}

static void measure_frames(size_t payload)
{
    const uint8_t from[8] = {2, [7] = 1}, to[8] = {2, [7] = 2};
    struct link_address src = link_extended(from), dst = link_extended(to);

    for (uint8_t level = 0; level < LEVELS; level++) {
        frame_data(&eval.frame, 0xabcd, &dst, &src, 1);
        eval.frame.secured = level > 0;
        eval.frame.security.level = level;
        eval.frame.payload = eval.data;
        eval.frame.payload_len = payload;
        label_of_level(level, " seal");
        measure(payload, frame_sealing);
        eval.psdu_len = (size_t)eval.result;
        label_of_level(level, " open");
        measure(payload, frame_opening);
    }
}

/* ---- the block store ---- */

static int ram_read(void *context, uint32_t segment, uint32_t at, uint8_t *out, size_t len)
{
    (void)segment;
    eval.flash.read += len;
    memcpy(out, (uint8_t *)context + at, len);
    return MOTE_OK;
}

static int ram_write(void *context, uint32_t segment, uint32_t at, const uint8_t *data, size_t len)
{
    (void)segment;
    eval.flash.writes++;
    eval.flash.written += len;
    memcpy((uint8_t *)context + at, data, len);
    return MOTE_OK;
}

static int ram_erase(void *context, uint32_t segment)
{
    (void)segment;
    memset(context, 0xff, SEGMENT);
    return MOTE_OK;
}

static int reserve(void *context, uint32_t last)
{
    (void)context;
    (void)last;
    return MOTE_OK;
}

/* The work from the payload to the durable block. */
static void store_block(void *context)
{
    uint32_t number;

    (void)context;
    eval.result = block_store_append(&eval.store, eval.data, 1, 1, &number);
}

/* The work from the search for the block to the finished packet. */
static void send_block(void *context)
{
    struct stored_block block;

    (void)context;
    eval.result = block_store_find(&eval.store, 1, 0, UINT32_MAX, &block);
    if (eval.result == MOTE_OK)
        eval.result = block_store_packet(&eval.store, &block, &eval.requester, eval.sealed,
                                         sizeof eval.sealed);
}

static void print_flash(const char *name, const char *use, uint8_t payload, size_t value)
{
    label("flash");
    add_text(name);
    add_text(" ");
    add_text(use);
    end_label(payload);
    cost_print(eval.label, (uint32_t)value);
}

/* Measures storing a block in a segment that has one, and the uses of the storage by storing and
 * sending. */
static void measure_storage(const char *name, uint8_t payload)
{
    eval.flash.read = 0;
    send_block(NULL);
    print_flash(name, "read", payload, eval.flash.read);
    eval.flash.writes = eval.flash.written = 0;
    store_block(NULL);
    if (eval.result < 0)
        cost_fail("the block store");
    print_flash(name, "writes", payload, eval.flash.writes);
    print_flash(name, "written", payload, eval.flash.written);
    measure_one("store", name, payload, store_block);
}

static void measure_block_store(const char *name, uint8_t payload, enum block_store_mode mode,
                                bool other)
{
    const struct block_storage storage = {ram_read, ram_write, ram_erase, SEGMENT, 1, eval.segment};
    struct block_store_config config = {.storage = &storage,
                                        .sa = &eval.sa,
                                        .crypto = &eval.crypto,
                                        .source = {{0xfd, [15] = 1}},
                                        .destination = {{0xfd, [15] = 2}},
                                        .payload_size = payload,
                                        .with_icv = mode == BLOCK_STORE_STORED_ICV,
                                        .mode = mode,
                                        .reserve = reserve};
    uint32_t number;

    memset(eval.segment, 0xff, sizeof eval.segment);
    eval.sa = (struct ipsec_sa){.protocol = &ipsec_esp,
                                .cipher = &ipsec_aes_ctr,
                                .integrity = integrity(),
                                .spi = 1,
                                .reserved = UINT32_MAX};
    fill_cache(&eval.sa);
    if (block_store_open(&eval.store, &config) != MOTE_OK ||
        block_store_append(&eval.store, eval.data, 1, 1, &number) != MOTE_OK)
        cost_fail("the block store");
    eval.requester = config.destination;
    eval.requester.octets[15] = other ? 3 : 2;
    measure_one("block-store", name, payload, send_block);
    measure_storage(name, payload);
}

static void measure_block_stores(void)
{
    for (uint8_t payload = 6; payload <= BLOCK_STORE_PAYLOAD_MAX; payload += 16) {
        measure_block_store("A", payload, BLOCK_STORE_REENCRYPT, false);
        measure_block_store("B", payload, BLOCK_STORE_NEW_ICV, false);
        measure_block_store("C", payload, BLOCK_STORE_NEW_ICV, true);
        measure_block_store("D", payload, BLOCK_STORE_STORED_ICV, false);
    }
}

static void print_ram(void)
{
    size_t ram[] = {0, sizeof eval.cache,
                    sizeof eval.cache + sizeof eval.own + sizeof eval.own_state};

    label("ram");
    add_text("cache of an association");
    end_label(0);
    cost_print(eval.label, (uint32_t)ram[eval.caching]);
}

/* RFC 3566 section 4.3, test case 3. */
static void check_cipher(const struct aes128 *aes)
{
    static const uint8_t expected[XCBC_MAC_SIZE] = {0xd2, 0xa2, 0x46, 0xfa, 0x34, 0x9b,
                                                    0x68, 0xa7, 0x99, 0x98, 0xa4, 0x39};
    uint8_t octets[AES_BLOCK], mac[XCBC_MAC_SIZE];
    const struct piece piece = {octets, sizeof octets};

    for (uint8_t i = 0; i < AES_BLOCK; i++)
        octets[i] = i;
    xcbc_mac_96(aes, octets, &piece, mac);
    if (memcmp(mac, expected, sizeof expected) != 0)
        cost_fail("a driver computes a wrong MAC");
}

static void measure_all(const char *driver, const struct aes128 *aes, enum caching caching)
{
    eval.driver = driver;
    eval.aes = *aes;
    eval.caching = caching;
    eval.result = 0;
    eval.crypto = (struct ipsec_crypto){&eval.aes, &eval.sha1, NULL};
    print_ram();
    measure_ciphers();
    measure_packets();
    measure_frames(24);
    measure_frames(80);
    measure_block_stores();
}

int main(void)
{
    struct aes128 constant, pair;
    const struct aes128 table = {
        .set_key = table_set_key, .encrypt = table_encrypt, .context = &eval.table_state};
    const struct aes128 hardware = {.set_key = free_set_key, .encrypt = free_block};

    cost_begin();
    bearssl_aes128_forward(&constant, &eval.constant_state);
    bearssl_sha1(&eval.sha1, &eval.sha1_state);
    bearssl_aes128_pair(&pair, &eval.pair_state);
    bearssl_aes128_pair(&eval.own, &eval.own_state);
    check_cipher(&constant);
    check_cipher(&pair);
    check_cipher(&table);
    measure_all("constant-time", &constant, NOTHING);
    measure_all("constant-time, subkeys", &constant, SUBKEYS);
    measure_all("constant-time, pairs", &pair, SUBKEYS);
    measure_all("constant-time, expanded", &pair, EXPANDED);
    measure_all("table-based", &table, NOTHING);
    measure_all("table-based, subkeys", &table, SUBKEYS);
    measure_all("hardware", &hardware, NOTHING);
    cost_end();
    return 0;
}
