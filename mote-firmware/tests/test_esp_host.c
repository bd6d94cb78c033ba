/* vigil-esp-host without its sockets, with a mote that is two associations. */
#include "../host/esp_host.h"

#include "harness.h"
#include "support/fake.h"

#define MOTE "fd00::202:2:2:2"
#define HOST "2001:db8::1"
#define KEY_1 "000102030405060708090a0b0c0d0e0f"
#define KEY_2 "101112131415161718191a1b1c1d1e1f"
#define KEY_3 "202122232425262728292a2b2c2d2e2f"
#define UP_LINE "in esp-udp ctr-xcbc 0x11000001 " MOTE " " HOST " " KEY_1 "a0a1a2a3 " KEY_2 "\n"
#define DOWN_LINE "out esp-udp ccm8 0x11000002 " HOST " " MOTE " " KEY_3 "a0a1a2\n"

static const struct ipv6_address MOTE_ADDRESS = {
    {0xfd, [8] = 2, [9] = 2, [11] = 2, [13] = 2, [15] = 2}};
static const struct ipv6_address HOST_ADDRESS = {{0x20, 1, 0x0d, 0xb8, [15] = 1}};

static struct bearssl_aes128 aes_state;
static struct aes128 aes;
static br_sha256_context hash_state;
static struct sha256 hash;
static struct ipsec_crypto crypto = {&aes, NULL, &hash};
static struct fake_storage flash;
static struct counter_store counters;
static struct associations associations;
static struct esp_host host;
static struct ipsec_sa up, down; /* the mote's ends */
static char problem[300];
static uint8_t packet[ESP_HOST_PACKET_MAX], esp[ESP_HOST_PACKET_MAX], out[ESP_HOST_PACKET_MAX];

/* Starts the host with the present storage and associations. Returns the result of esp_host_open.
 */
static int start(const char *text, bool fresh)
{
    memset(&associations, 0, sizeof associations);
    CHECK_INT(counter_store_open(&counters, &flash.port), MOTE_OK);
    CHECK_INT(sa_file_parse(&associations.file, text, strlen(text), problem, sizeof problem), 0);
    associations.counters = &counters;
    associations.crypto = crypto;
    for (size_t i = 0; i < associations.file.count; i++) {
        struct sa_entry *entry = &associations.file.entries[i];
        sa_entry_name(entry, &hash, associations.names[i]);
        (void)sa_entry_resume(entry, &counters, associations.names[i], fresh);
    }
    return esp_host_open(&host, &associations, problem, sizeof problem);
}

static void begin(void)
{
    fake_storage_init(&flash);
    CHECK_INT(start(UP_LINE DOWN_LINE, true), 0);
    up = associations.file.entries[0].sa;
    down = associations.file.entries[1].sa;
    up.reserved = 10000;
    down.top = down.window = 0;
}

/* Writes a UDP packet between the ends to `packet`. */
static size_t udp_packet(bool to_host, const char *text)
{
    const struct udp udp = {5683, 61616, (const uint8_t *)text, strlen(text)};
    const struct ipv6_address *src = to_host ? &MOTE_ADDRESS : &HOST_ADDRESS;
    const struct ipv6_address *dst = to_host ? &HOST_ADDRESS : &MOTE_ADDRESS;
    return (size_t)ipv6_udp_packet(&udp, src, dst, packet, sizeof packet);
}

/* The ESP of the mote for what is in `packet`. */
static size_t sealed(size_t len)
{
    int n = ipsec_seal(&up, &crypto, packet, len, esp, sizeof esp);
    CHECK(n > 0);
    return n > 0 ? (size_t)n : 0;
}

TEST(opens_compressed_udp_of_a_mote_and_answers_in_kind)
{
    begin();
    size_t len = udp_packet(true, "21.5 degrees");
    int n = esp_host_receive(&host, esp, sealed(len), out);
    REQUIRE(n > 0);
    CHECK_OCTETS(out, (size_t)n, packet, len);
    len = udp_packet(false, "thank you");
    n = esp_host_send(&host, packet, len, esp);
    REQUIRE(n > 0);
    CHECK_INT(esp[6], NEXT_ESP);
    n = ipsec_open(&down, &crypto, esp, (size_t)n, out, sizeof out);
    REQUIRE(n > 0);
    CHECK_OCTETS(out, (size_t)n, packet, len);
    CHECK_INT(host.counts.opened, 1);
    CHECK_INT(host.counts.sealed, 1);
}

TEST(accepts_and_sends_no_number_twice_after_a_restart)
{
    begin();
    size_t n = sealed(udp_packet(true, "once"));
    CHECK(esp_host_receive(&host, esp, n, out) > 0);
    CHECK_INT(esp_host_receive(&host, esp, n, out), MOTE_E_REPLAY);
    CHECK_INT(start(UP_LINE DOWN_LINE, false), 0);
    CHECK_INT(esp_host_receive(&host, esp, n, out), MOTE_E_REPLAY);
    CHECK_INT(host.counts.bad_esp, 1);
    up.sent = 99;
    CHECK(esp_host_receive(&host, esp, sealed(udp_packet(true, "far ahead")), out) > 0);
    CHECK_INT(start(UP_LINE DOWN_LINE, false), 0);
    CHECK(esp_host_receive(&host, esp, sealed(udp_packet(true, "the next one")), out) > 0);
    n = udp_packet(false, "later");
    int m = esp_host_send(&host, packet, n, esp);
    REQUIRE(m > 0);
    CHECK(esp[IPV6_HEADER_SIZE + 6] > 0); /* above all that were reserved before */
}

TEST(sends_and_accepts_nothing_without_its_records)
{
    begin();
    size_t n = sealed(udp_packet(true, "hello"));
    fake_storage_init(&flash);
    CHECK_INT(start(UP_LINE DOWN_LINE, false), 0);
    CHECK(esp_host_receive(&host, esp, n, out) < 0);
    n = udp_packet(false, "hello");
    CHECK_INT(esp_host_send(&host, packet, n, esp), MOTE_E_STATE);
    CHECK_INT(host.counts.unsendable, 1);
}

TEST(delivers_nothing_if_the_number_cannot_be_stored)
{
    begin();
    up.sent = 500; /* above the reserved ones */
    size_t n = sealed(udp_packet(true, "hello"));
    flash.dark = true;
    CHECK(esp_host_receive(&host, esp, n, out) < 0);
    CHECK_INT(host.counts.opened, 0);
}

TEST(ignores_esp_of_others_and_refuses_changed_esp)
{
    begin();
    size_t n = sealed(udp_packet(true, "hello"));
    esp[n - 1] ^= 1;
    CHECK_INT(esp_host_receive(&host, esp, n, out), MOTE_E_AUTH);
    esp[n - 1] ^= 1;
    esp[IPV6_HEADER_SIZE + 3] ^= 1; /* another SPI */
    CHECK_INT(esp_host_receive(&host, esp, n, out), MOTE_E_STATE);
    esp[IPV6_HEADER_SIZE + 3] ^= 1;
    esp[23] ^= 1; /* another source */
    CHECK_INT(esp_host_receive(&host, esp, n, out), MOTE_E_STATE);
    esp[23] ^= 1;
    CHECK(esp_host_receive(&host, esp, n, out) > 0);
    CHECK_INT(host.counts.unknown, 2);
    CHECK_INT(host.counts.bad_esp, 1);
}

/* The result of receiving an authentic packet with this content. */
static int receive(uint8_t protocol, const char *hex)
{
    uint8_t *payload = packet + IPV6_HEADER_SIZE;
    size_t len = from_hex(hex, payload, 64);
    struct ipv6_header header = {.payload_len = (uint16_t)len,
                                 .next_header = protocol,
                                 .hop_limit = 255,
                                 .src = MOTE_ADDRESS,
                                 .dst = HOST_ADDRESS};
    struct writer w;
    writer_init(&w, packet, IPV6_HEADER_SIZE);
    ipv6_write(&header, &w);
    return esp_host_receive(&host, esp, sealed(IPV6_HEADER_SIZE + len), out);
}

TEST(passes_on_udp_and_echoes_but_nothing_that_steers_the_kernel)
{
    begin();
    CHECK(receive(NEXT_ICMPV6, "80 00 1234 00010002") > 0); /* echo request */
    CHECK(receive(NEXT_ICMPV6, "02 00 1234 00000500") > 0); /* packet too big */
    CHECK_INT(receive(NEXT_ICMPV6, "86 00 1234 40000708 00000000 00000000"), MOTE_E_UNSUPPORTED);
    CHECK_INT(receive(NEXT_ICMPV6, "88 00 1234 60000000"), MOTE_E_UNSUPPORTED);
    CHECK_INT(receive(NEXT_ICMPV6, "9b 01 1234 60000000"), MOTE_E_UNSUPPORTED);
    CHECK_INT(receive(NEXT_ROUTING, "11 00 03 00 00000000 1633 1633 0008 1234"),
              MOTE_E_UNSUPPORTED);
    CHECK_INT(receive(NEXT_FRAGMENT, "11 00 0001 00000007 1633 1633 0008 1234"),
              MOTE_E_UNSUPPORTED);
    CHECK_INT(receive(6, "1633163300000000"), MOTE_E_UNSUPPORTED);
    CHECK_INT(receive(NEXT_ICMPV6, ""), MOTE_E_UNSUPPORTED);
    CHECK_INT(host.counts.refused, 7);
}

TEST(seals_only_whole_packets_to_its_motes)
{
    begin();
    size_t len = udp_packet(false, "hello");
    packet[39] ^= 1; /* another mote */
    CHECK_INT(esp_host_send(&host, packet, len, esp), MOTE_E_STATE);
    packet[39] ^= 1;
    packet[23] ^= 1; /* another address of the host */
    CHECK_INT(esp_host_send(&host, packet, len, esp), MOTE_E_STATE);
    packet[23] ^= 1;
    packet[24] = 0xff;
    CHECK_INT(esp_host_send(&host, packet, len, esp), MOTE_E_UNSUPPORTED); /* not counted */
    packet[24] = 0xfd;
    memmove(packet + 48, packet + 40, len - 40);
    const uint8_t fragment[8] = {NEXT_UDP, 0, 0, 1, 0, 0, 0, 7};
    memcpy(packet + 40, fragment, sizeof fragment);
    packet[6] = NEXT_FRAGMENT;
    packet[5] = (uint8_t)(packet[5] + 8);
    CHECK_INT(esp_host_send(&host, packet, len + 8, esp), MOTE_E_STATE);
    CHECK_INT(host.counts.unsendable, 3);
}

TEST(refuses_associations_that_it_cannot_hold)
{
    fake_storage_init(&flash);
    CHECK_INT(start("", true), -1);
    CHECK_INT(start(UP_LINE "\nin ah ah-xcbc 0x3 " MOTE " " HOST " " KEY_3 "\n", true), -1);
    CHECK(strstr(problem, "line 3: ") != NULL);
    CHECK_INT(start("store esp ctr-xcbc 0x3 " MOTE " " HOST " " KEY_1 "a0a1a2a3 " KEY_2, true), -1);
}

int main(void)
{
    bearssl_aes128(&aes, &aes_state);
    bearssl_sha256(&hash, &hash_state);
    RUN(opens_compressed_udp_of_a_mote_and_answers_in_kind);
    RUN(accepts_and_sends_no_number_twice_after_a_restart);
    RUN(sends_and_accepts_nothing_without_its_records);
    RUN(delivers_nothing_if_the_number_cannot_be_stored);
    RUN(ignores_esp_of_others_and_refuses_changed_esp);
    RUN(passes_on_udp_and_echoes_but_nothing_that_steers_the_kernel);
    RUN(seals_only_whole_packets_to_its_motes);
    RUN(refuses_associations_that_it_cannot_hold);
    return harness_report();
}
