#include "operations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "bench: %s failed\n", what);
        exit(EXIT_FAILURE);
    }
}

static void there_and_back(struct bench *b, const uint8_t *packet, size_t len)
{
    uint8_t small[IPV6_MTU], large[IPV6_MTU];
    struct lowpan_deferred rest;
    size_t covered;
    int n = lowpan_compress(&b->lowpan, packet, len, &b->src, &b->dst, true, small, sizeof small,
                            &covered);
    memcpy(small + n, packet + covered, len - covered);
    int m = lowpan_decompress(&b->lowpan, small, (size_t)n + len - covered, &b->src, &b->dst, 0,
                              large, sizeof large, &rest);
    must(m == (int)len, "decompression");
}

static void lowpan_udp(struct bench *b)
{
    there_and_back(b, b->udp, b->udp_len);
}

static void lowpan_esp(struct bench *b)
{
    there_and_back(b, b->esp, b->esp_len);
}

static void frame_level_5(struct bench *b)
{
    uint8_t psdu[FRAME_MAX];
    struct frame frame;
    memcpy(psdu, b->sealed, b->sealed_len);
    must(frame_parse(&frame, psdu, b->sealed_len) == MOTE_OK &&
             frame_open(&frame, psdu, &b->aes, frame.src.octets) == MOTE_OK,
         "opening a frame");
}

static void esp_seal(struct bench *b)
{
    uint8_t out[IPV6_MTU];
    must(ipsec_seal(&b->out, &b->crypto, b->udp, b->udp_len, out, sizeof out) > 0, "sealing");
}

static void esp_open(struct bench *b)
{
    uint8_t out[IPV6_MTU];
    b->in.top = 0;
    b->in.window = 0;
    must(ipsec_open(&b->in, &b->crypto, b->esp, b->esp_len, out, sizeof out) > 0, "opening");
}

static void sign(struct bench *b)
{
    must(b->p256.sign(b->p256.context, b->key, b->hash, b->signature) == MOTE_OK, "signing");
}

static void verify(struct bench *b)
{
    must(b->p256.verify(b->p256.context, b->point, b->hash, b->signature) == MOTE_OK, "verifying");
}

static void prepare_packets(struct bench *b)
{
    const uint8_t eui[2][8] = {{0, 1, 0, 1, 0, 1, 0, 1}, {0, 2, 0, 2, 0, 2, 0, 2}};
    uint8_t payload[BENCH_PAYLOAD];
    memset(payload, 0x33, sizeof payload);
    b->context = (struct lowpan_context){64, {0xfd}, true};
    b->lowpan = (struct lowpan){&b->context, 1, &lowpan_nhc_esp, &lowpan_nhc_ah};
    b->src = link_extended(eui[1]);
    b->dst = link_extended(eui[0]);
    struct ipv6_address src = ipv6_under_prefix(b->context.prefix, &b->src);
    struct ipv6_address dst = ipv6_under_prefix(b->context.prefix, &b->dst);
    struct udp udp = {5683, 5683, payload, sizeof payload};
    b->udp_len = (size_t)ipv6_udp_packet(&udp, &src, &dst, b->udp, sizeof b->udp);
    b->out = (struct ipsec_sa){.protocol = &ipsec_esp,
                               .cipher = &ipsec_aes_ctr,
                               .integrity = &ipsec_xcbc_96,
                               .spi = 1,
                               .reserved = UINT32_MAX};
    b->in = b->out;
    int n = ipsec_seal(&b->out, &b->crypto, b->udp, b->udp_len, b->esp, sizeof b->esp);
    must(n > 0, "sealing");
    b->esp_len = (size_t)n;
}

static void prepare_frame(struct bench *b)
{
    struct frame frame;
    uint8_t payload[BENCH_PAYLOAD] = {0};
    frame_data(&frame, 0xabcd, &b->dst, &b->src, 1);
    frame.secured = true;
    frame.security.level = 5;
    frame.payload = payload;
    frame.payload_len = sizeof payload;
    b->aes.set_key(b->aes.context, payload);
    int n = frame_seal(&frame, &b->aes, b->src.octets, b->sealed, sizeof b->sealed);
    must(n > 0, "sealing a frame");
    b->sealed_len = (size_t)n;
}

void bench_prepare(struct bench *b)
{
    bearssl_aes128(&b->aes, &b->aes_state);
    bearssl_sha256(&b->sha256, &b->sha256_state);
    b->crypto = (struct ipsec_crypto){&b->aes, NULL, &b->sha256};
    prepare_packets(b);
    b->key[31] = 7;
    b->hash[0] = 1;
    must(b->p256.public_key(b->p256.context, b->key, b->point) == MOTE_OK, "making a public key");
    sign(b);
    prepare_frame(b);
}

const struct operation operations[OPERATIONS] = {
    {"6LoWPAN compress and decompress, UDP", lowpan_udp},
    {"6LoWPAN compress and decompress, ESP", lowpan_esp},
    {"ESP seal, AES-CTR and XCBC", esp_seal},
    {"ESP open, AES-CTR and XCBC", esp_open},
    {"802.15.4 frame parse and open, level 5", frame_level_5},
    {"P-256 sign", sign},
    {"P-256 verify", verify},
};
