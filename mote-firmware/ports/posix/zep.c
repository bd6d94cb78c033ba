/* ZEP version 2; numbers are big-endian. */
#include "zep.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "port.h"

enum {
    VERSION = 2,
    TYPE_DATA = 1,
    TYPE_HELLO = 255,
    MODE_FCS = 1,
    LQI_BEST = 255,
    RESERVED = 10,
    PACKET_MAX = 32 + FRAME_MAX
};

/* Seconds from the epoch of NTP (1900) to that of unix time. */
#define NTP_EPOCH UINT32_C(2208988800)

/* Retries once: send reports ECONNREFUSED of an earlier packet that found no ether. */
static void send_packet(const struct zep *zep, const struct writer *out)
{
    for (int attempt = 0; attempt < 2; attempt++)
        if (send(zep->fd, out->start, writer_len(out), 0) >= 0)
            return;
}

static void write_start(struct writer *out, uint8_t type)
{
    writer_str(out, "EX");
    writer_u8(out, VERSION);
    writer_u8(out, type);
}

static void write_zeros(struct writer *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        writer_u8(out, 0);
}

static void write_time(struct writer *out)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    writer_u32(out, (uint32_t)now.tv_sec + NTP_EPOCH);
    writer_u32(out, (uint32_t)(((uint64_t)now.tv_nsec << 32) / 1000000000u));
}

void zep_send(struct zep *zep, const uint8_t *psdu, size_t len)
{
    uint8_t framed[FRAME_MAX + FRAME_FCS_SIZE];
    uint8_t packet[PACKET_MAX];
    struct writer out;

    if (len > FRAME_MAX - FRAME_FCS_SIZE)
        return;
    memcpy(framed, psdu, len);
    frame_fcs_append(framed, len);
    writer_init(&out, packet, sizeof packet);
    write_start(&out, TYPE_DATA);
    writer_u8(&out, ZEP_CHANNEL);
    writer_u16(&out, (uint16_t)(zep->eui64[6] << 8 | zep->eui64[7]));
    writer_u8(&out, MODE_FCS);
    writer_u8(&out, LQI_BEST);
    write_time(&out);
    writer_u32(&out, zep->sequence++);
    write_zeros(&out, RESERVED);
    writer_u8(&out, (uint8_t)(len + FRAME_FCS_SIZE));
    writer_bytes(&out, framed, len + FRAME_FCS_SIZE);
    send_packet(zep, &out);
}

/* RIOT's hello, followed by the EUI-64. */
static void send_hello(const struct zep *zep)
{
    uint8_t packet[PACKET_MAX];
    struct writer out;

    writer_init(&out, packet, sizeof packet);
    write_start(&out, TYPE_HELLO);
    write_zeros(&out, 17);
    writer_str(&out, "HELLO");
    write_zeros(&out, 5);
    writer_u8(&out, EUI64_SIZE);
    writer_bytes(&out, zep->eui64, EUI64_SIZE);
    send_packet(zep, &out);
}

uint64_t zep_tick(struct zep *zep, uint64_t now)
{
    if (now >= zep->hello_at) {
        send_hello(zep);
        zep->hello_at = now + ZEP_HELLO_MS;
    }
    return zep->hello_at;
}

/* Extracts the PSDU, without FCS, of a data packet on this channel. Its length, or 0. */
static size_t unwrap(const uint8_t *packet, size_t len, uint8_t psdu[FRAME_MAX])
{
    struct reader in;
    size_t length;
    bool ours;

    reader_init(&in, packet, len);
    ours = reader_u16(&in) == ('E' << 8 | 'X') && reader_u8(&in) == VERSION &&
           reader_u8(&in) == TYPE_DATA && reader_u8(&in) == ZEP_CHANNEL;
    reader_u16(&in); /* device */
    ours = reader_u8(&in) == MODE_FCS && ours;
    reader_u8(&in);  /* LQI */
    reader_u64(&in); /* time */
    reader_u32(&in); /* sequence */
    reader_take(&in, RESERVED);
    length = reader_u8(&in);
    if (!ours || length <= FRAME_FCS_SIZE || length > FRAME_MAX || in.left != length ||
        !reader_copy(&in, psdu, length) || !frame_fcs_good(psdu, length))
        return 0;
    return length - FRAME_FCS_SIZE;
}

size_t zep_receive(struct zep *zep, uint8_t psdu[FRAME_MAX])
{
    uint8_t packet[PACKET_MAX];

    for (;;) {
        ssize_t got = recv(zep->fd, packet, sizeof packet, 0);
        size_t len = got > 0 ? unwrap(packet, (size_t)got, psdu) : 0;

        if (len > 0)
            return len;
        if (got < 0 && errno != ECONNREFUSED && errno != EINTR)
            return 0;
    }
}

int zep_open(struct zep *zep, const char *host, const char *port, const uint8_t eui64[EUI64_SIZE],
             char *problem, size_t problem_size)
{
    *zep = (struct zep){.fd = udp_connect(host, port)};
    memcpy(zep->eui64, eui64, EUI64_SIZE);
    if (zep->fd >= 0)
        return 0;
    snprintf(problem, problem_size,
             "cannot reach the ether at %s port %s (%s): name it with --zep HOST:PORT", host, port,
             strerror(errno));
    return -1;
}
