/*
 * The first octet selects a transform; the rest is a packet. First the receiver gets it unchanged.
 * Then a peer with the key seals it, and it must be restored exactly. Then its AH or ESP is made
 * authentic, so that it reaches the parsers after the ICV check.
 */
#include "mote/crypto_bearssl.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct ipsec_sa choose(uint8_t octet)
{
    static const struct {
        const struct ipsec_protocol *protocol;
        const struct ipsec_cipher *cipher;
        const struct ipsec_integrity *integrity;
    } choices[8] = {
        {&ipsec_esp, &ipsec_null, &ipsec_xcbc_96},
        {&ipsec_esp, &ipsec_aes_cbc, &ipsec_xcbc_96},
        {&ipsec_esp, &ipsec_aes_ctr, &ipsec_xcbc_96},
        {&ipsec_esp, &ipsec_aes_ccm_8, NULL},
        {&ipsec_ah, NULL, &ipsec_xcbc_96},
        {&ipsec_ah, NULL, &ipsec_hmac_sha256_128},
        {&ipsec_esp, &ipsec_aes_ccm_16, NULL},
        {&ipsec_ah, NULL, &ipsec_hmac_sha1_96},
    };
    const struct ipsec_protocol *protocol = choices[octet & 7].protocol;
    if (protocol == &ipsec_esp && (octet & 8) != 0)
        protocol = &ipsec_esp_udp;
    return (struct ipsec_sa){.protocol = protocol,
                             .cipher = choices[octet & 7].cipher,
                             .integrity = choices[octet & 7].integrity,
                             .spi = 1,
                             .reserved = UINT32_MAX};
}

/* Makes a text that decrypts (NULL cipher) with a valid ICV but any padding. */
static void make_authentic(const struct ipsec_sa *sa, const struct aes128 *aes, uint8_t *packet,
                           size_t len)
{
    if (len < 40 + 8 + 12 || sa->cipher != &ipsec_null || packet[6] != NEXT_ESP)
        return;
    struct piece whole = {packet + 40, len - 40 - 12};
    xcbc_mac_96(aes, sa->integrity_key, &whole, packet + len - 12);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bearssl_aes128 aes_state;
    struct aes128 aes;
    br_sha1_context sha1_state;
    struct sha1 sha1;
    br_sha256_context sha256_state;
    struct sha256 sha256;
    struct ipv6_header header;
    uint8_t sealed[IPV6_MTU + 128];
    uint8_t opened[IPV6_MTU + 128];
    if (size < 1 || size > IPV6_MTU)
        return 0;
    bearssl_aes128(&aes, &aes_state);
    bearssl_sha1(&sha1, &sha1_state);
    bearssl_sha256(&sha256, &sha256_state);
    const struct ipsec_crypto crypto = {&aes, &sha1, &sha256};
    struct ipsec_sa out = choose(data[0]);
    struct ipsec_sa in = out;
    size_t len = size - 1;
    uint8_t *packet = malloc(len > 0 ? len : 1);
    memcpy(packet, data + 1, len);
    make_authentic(&in, &aes, packet, len);
    ipsec_open(&in, &crypto, packet, len, opened, sizeof opened);
    in = out;
    in.top = data[0] * UINT32_C(0x01010101);
    ipsec_restore_sequence(&in, packet, len, 1 + len % 2);
    in.top = 0;
    int n = ipsec_seal(&out, &crypto, packet, len, sealed, sizeof sealed);
    if (n > 0) {
        uint32_t sequence = 0;
        if (ipsec_restore_sequence(&in, sealed, (size_t)n, 1 + len % 2) != MOTE_OK ||
            ipsec_sequence(&in, sealed, (size_t)n, &sequence) != MOTE_OK || sequence != 1)
            abort();
        int back = ipsec_open(&in, &crypto, sealed, (size_t)n, opened, sizeof opened);
        bool same = (size_t)back == len && memcmp(opened, packet, len) == 0;
        if (!same || ipv6_parse(&header, sealed, (size_t)n) != MOTE_OK)
            abort();
    }
    free(packet);
    return 0;
}
