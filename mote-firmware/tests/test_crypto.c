#include "harness.h"
#include "mote/crypto_bearssl.h"

static struct bearssl_aes128 aes_state;
static struct aes128 aes;
static br_sha256_context hash_state;
static struct sha256 hash;
static struct p256 p256;

TEST(enciphers_as_fips_197_appendix_b_and_back)
{
    uint8_t key[16], block[16], expected[16], plain[16];
    from_hex("2b7e151628aed2a6abf7158809cf4f3c", key, 16);
    from_hex("3243f6a8885a308d313198a2e0370734", plain, 16);
    from_hex("3925841d02dc09fbdc118597196a0b32", expected, 16);
    memcpy(block, plain, 16);
    aes.set_key(aes.context, key);
    aes.encrypt(aes.context, block);
    CHECK_OCTETS(block, 16, expected, 16);
    aes.decrypt(aes.context, block);
    CHECK_OCTETS(block, 16, plain, 16);
}

/* FIPS 197 appendices B and C.1. */
TEST(enciphers_a_pair_of_blocks_each_under_its_own_key)
{
    uint8_t keys[2][16], blocks[32], expected[32];
    from_hex("2b7e151628aed2a6abf7158809cf4f3c", keys[0], 16);
    from_hex("000102030405060708090a0b0c0d0e0f", keys[1], 16);
    from_hex("3243f6a8885a308d313198a2e037073400112233445566778899aabbccddeeff", blocks, 32);
    from_hex("3925841d02dc09fbdc118597196a0b3269c4e0d86a7b0430d8cdb78070b4c55a", expected, 32);
    aes.pair->set_keys(aes.context, keys[0], keys[1]);
    aes.pair->encrypt(aes.context, blocks);
    CHECK_OCTETS(blocks, 32, expected, 32);
}

/* RFC 3686 section 6, test vector 3. */
TEST(enciphers_in_counter_mode_as_rfc_3686)
{
    uint8_t key[16], text[36], expected[36], counter[16];
    from_hex("7691be035e5020a8ac6e618529f9a0dc", key, 16);
    from_hex("00e0017b27777f3f4a1786f000000001", counter, 16);
    from_hex("c1cf48a89f2ffdd9cf4652e9efdb72d74540a42bde6d7836d59a5ceaaef31053"
             "25b2072f",
             expected, 36);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)i;
    aes.set_key(aes.context, key);
    aes_ctr(&aes, counter, text, sizeof text);
    CHECK_OCTETS(text, 36, expected, 36);
}

TEST(hashes_pieces_as_fips_180_one_message)
{
    uint8_t digest[32], expected[32];
    struct piece pieces[] = {{(const uint8_t *)"a", 1}, {NULL, 0}, {(const uint8_t *)"bc", 2}};
    from_hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", expected, 32);
    sha256_pieces(&hash, pieces, 3, digest);
    CHECK_OCTETS(digest, 32, expected, 32);
}

TEST(computes_the_hmacs_of_rfc_4231)
{
    uint8_t key[131], mac[32], expected[32];
    struct piece message = {(const uint8_t *)"Hi There", 8};
    memset(key, 0x0b, 20);
    from_hex("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7", expected, 32);
    hmac_sha256(&hash, key, 20, &message, 1, mac);
    CHECK_OCTETS(mac, 32, expected, 32);

    memset(key, 0xaa, 131); /* case 6: the key is longer than a block */
    message = (struct piece){
        (const uint8_t *)"Test Using Larger Than Block-Size Key - Hash Key First", 54};
    from_hex("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54", expected, 32);
    hmac_sha256(&hash, key, 131, &message, 1, mac);
    CHECK_OCTETS(mac, 32, expected, 32);
}

TEST(derives_the_keys_of_rfc_5869_appendix_a_1)
{
    uint8_t ikm[22], salt[13], info[10], out[42], expected[42];
    memset(ikm, 0x0b, 22);
    from_hex("000102030405060708090a0b0c", salt, 13);
    from_hex("f0f1f2f3f4f5f6f7f8f9", info, 10);
    from_hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
             "34007208d5b887185865",
             expected, 42);
    struct piece secret = {ikm, 22}, with = {salt, 13}, about = {info, 10};
    CHECK_INT(hkdf_sha256(&hash, &secret, &with, &about, out, 42), MOTE_OK);
    CHECK_OCTETS(out, 42, expected, 42);
    CHECK_INT(hkdf_sha256(&hash, &secret, &with, &about, out, 255 * 32 + 1), MOTE_E_SPACE);
}

/* RFC 3610 section 8, packet vectors 1 and 2 (M 8). Vectors from 7 on have M 10, which is not a
 * CCM* size. */
TEST(seals_and_opens_the_packets_of_rfc_3610)
{
    static const struct {
        const char *nonce, *header, *message, *sealed;
    } vectors[] = {
        {"00000003020100a0a1a2a3a4a5", "0001020304050607",
         "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
         "588c979a61c663d2f066d0c2c0f989806d5f6b61dac384"
         "17e8d12cfdf926e0"},
        {"00000004030201a0a1a2a3a4a5", "0001020304050607",
         "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
         "72c91a36e135f8cf291ca894085c87e3cc15c439c9e43a3b"
         "a091d56e10400916"},
    };
    uint8_t key[16], nonce[13], header[8], message[64], plain[64], sealed[64], mic[16];
    from_hex("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf", key, 16);
    aes.set_key(aes.context, key);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        from_hex(vectors[i].nonce, nonce, 13);
        from_hex(vectors[i].header, header, 8);
        size_t len = from_hex(vectors[i].message, message, sizeof message);
        memcpy(plain, message, len);
        from_hex(vectors[i].sealed, sealed, sizeof sealed);
        struct ccm ccm = {&aes, 2, 8, nonce, {{header, 3}, {header + 3, 5}}};
        CHECK_INT(ccm_seal(&ccm, message, len, mic), MOTE_OK);
        CHECK_OCTETS(message, len, sealed, len);
        CHECK_OCTETS(mic, 8, sealed + len, 8);
        CHECK_INT(ccm_open(&ccm, message, len, mic), MOTE_OK);
        CHECK_OCTETS(message, len, plain, len);
    }
}

TEST(zeroes_a_forged_message_and_takes_every_mic_size)
{
    uint8_t key[16] = {1}, nonce[13] = {2}, header[4] = {3};
    static const uint8_t sizes[] = {0, 4, 8, 12, 16};
    aes.set_key(aes.context, key);
    for (size_t i = 0; i < sizeof sizes; i++) {
        uint8_t message[20] = "nineteen characters", mic[16];
        const uint8_t zeros[20] = {0};
        struct ccm ccm = {&aes, 2, sizes[i], nonce, {{header, 4}, {NULL, 0}}};
        CHECK_INT(ccm_seal(&ccm, message, 20, mic), MOTE_OK);
        CHECK(memcmp(message, "nineteen characters", 20) != 0);
        CHECK_INT(ccm_open(&ccm, message, 20, mic), MOTE_OK);
        CHECK_OCTETS(message, 20, "nineteen characters", 20);
        if (sizes[i] > 0) {
            ccm_seal(&ccm, message, 20, mic);
            mic[sizes[i] - 1] ^= 1;
            CHECK_INT(ccm_open(&ccm, message, 20, mic), MOTE_E_AUTH);
            CHECK_OCTETS(message, 20, zeros, 20);
        }
    }
    struct ccm odd = {&aes, 2, 6, nonce, {{header, 4}, {NULL, 0}}};
    CHECK_INT(ccm_seal(&odd, header, 1, header), MOTE_E_UNSUPPORTED);
    struct ccm large = {&aes, 2, 8, nonce, {{header, 4}, {NULL, 0}}};
    CHECK_INT(ccm_seal(&large, NULL, 65536, header), MOTE_E_UNSUPPORTED);
}

/* RFC 3566 section 5.1, test cases 1 to 6. */
TEST(computes_the_xcbc_macs_of_rfc_3566)
{
    static const struct {
        size_t len;
        const char *mac;
    } vectors[] = {
        {0, "75f0251d528ac01c4573dfd5"},  {3, "5b376580ae2f19afe7219cee"},
        {16, "d2a246fa349b68a79998a439"}, {20, "47f51b4564966215b8985c63"},
        {32, "f54f0ec8d2b9f3d36807734b"}, {34, "becbb3bccdb518a30677d548"},
    };
    uint8_t key[16], message[34], mac[12], expected[12];
    for (size_t i = 0; i < sizeof message; i++) {
        key[i % 16] = (uint8_t)(i % 16);
        message[i] = (uint8_t)i;
    }
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        struct piece text = {message, vectors[i].len};
        from_hex(vectors[i].mac, expected, 12);
        xcbc_mac_96(&aes, key, &text, mac);
        CHECK_OCTETS(mac, 12, expected, 12);
    }
}

/* RFC 6979 appendix A.2.5, SHA-256, "sample". */
TEST(signs_as_rfc_6979_and_verifies)
{
    uint8_t key[32], point[64], expected[64], digest[32], signature[64];
    struct piece message = {(const uint8_t *)"sample", 6};
    from_hex("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721", key, 32);
    CHECK_INT(p256.public_key(p256.context, key, point), MOTE_OK);
    from_hex("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
             "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299",
             expected, 64);
    CHECK_OCTETS(point, 64, expected, 64);
    sha256_pieces(&hash, &message, 1, digest);
    CHECK_INT(p256.sign(p256.context, key, digest, signature), MOTE_OK);
    from_hex("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
             "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
             expected, 64);
    CHECK_OCTETS(signature, 64, expected, 64);
    CHECK_INT(p256.verify(p256.context, point, digest, signature), MOTE_OK);
    digest[0] ^= 1;
    CHECK_INT(p256.verify(p256.context, point, digest, signature), MOTE_E_AUTH);
}

static int roll(void *context, uint8_t *out, size_t len)
{
    dice_fill(context, out, len);
    return 0;
}

static int no_entropy(void *context, uint8_t *out, size_t len)
{
    (void)context;
    memset(out, 0, len);
    return MOTE_E_IO;
}

static int only_zeros(void *context, uint8_t *out, size_t len)
{
    (void)context;
    memset(out, 0, len);
    return 0;
}

TEST(generates_keys_that_agree_on_a_secret)
{
    struct dice dice = {42};
    struct random random = {roll, &dice};
    uint8_t key[2][32], point[2][64], shared[2][32];
    for (int i = 0; i < 2; i++) {
        CHECK_INT(p256.generate(p256.context, &random, key[i]), MOTE_OK);
        CHECK_INT(p256.public_key(p256.context, key[i], point[i]), MOTE_OK);
    }
    CHECK_INT(p256.shared(p256.context, key[0], point[1], shared[0]), MOTE_OK);
    CHECK_INT(p256.shared(p256.context, key[1], point[0], shared[1]), MOTE_OK);
    CHECK_OCTETS(shared[0], 32, shared[1], 32);
}

TEST(makes_no_key_without_entropy)
{
    struct random none = {no_entropy, NULL};
    struct random zeros = {only_zeros, NULL};
    uint8_t key[32];
    CHECK_INT(p256.generate(p256.context, &none, key), MOTE_E_IO);
    CHECK_INT(p256.generate(p256.context, &zeros, key), MOTE_E_IO);
}

TEST(refuses_scalars_and_points_off_the_curve)
{
    uint8_t order[32], zero[32] = {0}, one[32] = {0}, point[64], x[32], digest[32] = {0};
    uint8_t signature[64];
    from_hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", order, 32);
    one[31] = 1;
    CHECK_INT(p256.public_key(p256.context, order, point), MOTE_E_MALFORMED);
    CHECK_INT(p256.public_key(p256.context, zero, point), MOTE_E_MALFORMED);
    CHECK_INT(p256.sign(p256.context, zero, digest, signature), MOTE_E_MALFORMED);
    order[31]--;
    CHECK_INT(p256.public_key(p256.context, order, point), MOTE_OK);
    point[63] ^= 1;
    CHECK_INT(p256.shared(p256.context, one, point, x), MOTE_E_MALFORMED);
    memset(signature, 1, sizeof signature);
    CHECK_INT(p256.verify(p256.context, point, digest, signature), MOTE_E_AUTH);
}

/* Test cases 1, 2 and 4 of the GCM specification (McGrew and Viega), also in NIST's CAVS. */
TEST(gcm_matches_its_specification)
{
    const struct {
        const char *key;
        const char *nonce;
        const char *header;
        const char *plain;
        const char *sealed;
        const char *tag;
    } cases[] = {
        {"00000000000000000000000000000000", "000000000000000000000000", "", "", "",
         "58e2fccefa7e3061367f1d57a4e7455a"},
        {"00000000000000000000000000000000", "000000000000000000000000", "",
         "00000000000000000000000000000000", "0388dace60b6a392f328c2b971b2fe78",
         "ab6e47d42cec13bdf53a67b21257bddf"},
        {"feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
         "feedfacedeadbeeffeedfacedeadbeefabaddad2",
         "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e24"
         "49a6b525b16aedf5aa0de657ba637b39",
         "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5a"
         "ac84aa051ba30b396a0aac973d58e091",
         "5bc94fbc3221a5db94fae95ae7121a47"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t key[16];
        uint8_t nonce[GCM_NONCE_SIZE];
        uint8_t header[20];
        uint8_t message[64];
        uint8_t wanted[64];
        uint8_t tag[GCM_TAG_SIZE];
        size_t header_len = from_hex(cases[i].header, header, sizeof header);
        size_t len = from_hex(cases[i].plain, message, sizeof message);

        from_hex(cases[i].key, key, sizeof key);
        from_hex(cases[i].nonce, nonce, sizeof nonce);
        aes.set_key(aes.context, key);
        gcm_seal(&aes, nonce, &(struct piece){header, header_len}, message, len, tag);
        CHECK_OCTETS(message, len, wanted, from_hex(cases[i].sealed, wanted, sizeof wanted));
        CHECK_OCTETS(tag, sizeof tag, wanted, from_hex(cases[i].tag, wanted, sizeof wanted));
    }
}

static void run_all_of_p256(void)
{
    RUN(signs_as_rfc_6979_and_verifies);
    RUN(generates_keys_that_agree_on_a_secret);
    RUN(makes_no_key_without_entropy);
    RUN(refuses_scalars_and_points_off_the_curve);
}

int main(void)
{
    br_aes_ct_cbcenc_keys forward_state;
    struct bearssl_aes128_pair pair_state;

    bearssl_aes128(&aes, &aes_state);
    bearssl_sha256(&hash, &hash_state);
    RUN(enciphers_as_fips_197_appendix_b_and_back);
    RUN(enciphers_in_counter_mode_as_rfc_3686);
    RUN(hashes_pieces_as_fips_180_one_message);
    RUN(computes_the_hmacs_of_rfc_4231);
    RUN(derives_the_keys_of_rfc_5869_appendix_a_1);
    RUN(seals_and_opens_the_packets_of_rfc_3610);
    RUN(zeroes_a_forged_message_and_takes_every_mic_size);
    RUN(computes_the_xcbc_macs_of_rfc_3566);
    RUN(gcm_matches_its_specification);
    bearssl_p256(&p256, &br_ec_p256_m31);
    run_all_of_p256();
    bearssl_p256_m15(&p256);
    run_all_of_p256();
    bearssl_aes128_forward(&aes, &forward_state);
    RUN(computes_the_xcbc_macs_of_rfc_3566);
    RUN(gcm_matches_its_specification);
    bearssl_aes128_pair(&aes, &pair_state);
    RUN(enciphers_a_pair_of_blocks_each_under_its_own_key);
    RUN(enciphers_in_counter_mode_as_rfc_3686);
    RUN(seals_and_opens_the_packets_of_rfc_3610);
    RUN(computes_the_xcbc_macs_of_rfc_3566);
    RUN(gcm_matches_its_specification);
    return harness_report();
}
