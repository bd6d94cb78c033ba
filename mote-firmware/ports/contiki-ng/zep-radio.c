/*
 * A radio driver for Contiki-NG's native nodes: 802.15.4 frames as ZEP over UDP
 * (ports/posix/zep.h). Like a chip, it filters addresses and acknowledges frames. transmit waits
 * for the acknowledgement, because a process is scheduled in milliseconds, not symbols. Frames
 * received meanwhile are acknowledged and queued. CSMA reads the acknowledgement as from any radio,
 * and other frames from zep_radio_process.
 */
#include "zep-radio.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../posix/mac.h"
#include "contiki-port.h"
#include "net/netstack.h"
#include "net/packetbuf.h"

enum { HEARD_MAX = 32, PROBLEM_SIZE = 256, PAYLOAD_MAX = FRAME_MAX - FRAME_FCS_SIZE };

struct heard {
    uint8_t psdu[FRAME_MAX];
    size_t len;
};

static struct {
    struct zep zep;
    bool on;
    uint16_t pan;
    radio_value_t channel;
    uint8_t prepared[FRAME_MAX];
    bool waiting; /* for the acknowledgement of `seq` */
    uint8_t seq;
    bool acknowledged;
    struct heard heard[HEARD_MAX]; /* a ring buffer: `count` frames from `first` on */
    size_t first;
    size_t count;
} radio;

PROCESS(zep_radio_process, "ZEP radio");

/* ---- receiving ---- */

static bool is_for_us(const struct frame *frame)
{
    const struct link_address own = link_extended(linkaddr_node_addr.u8);

    if (frame->has_dst_pan && frame->dst_pan != radio.pan && frame->dst_pan != 0xffff)
        return false;
    return link_equal(&frame->dst, &own) || link_is_broadcast(&frame->dst);
}

/* A frame is acknowledged only if the ring buffer has space, so that a dropped frame is
 * retransmitted. */
static void enqueue(const uint8_t *psdu, size_t len, const struct frame *frame)
{
    struct heard *slot = &radio.heard[(radio.first + radio.count) % HEARD_MAX];
    uint8_t ack[FRAME_ACK_SIZE];

    if (radio.count == HEARD_MAX)
        return;
    memcpy(slot->psdu, psdu, len);
    slot->len = len;
    radio.count++;
    process_poll(&zep_radio_process);
    if (frame->ack_request && !link_is_broadcast(&frame->dst)) {
        frame_ack(frame->seq, ack);
        zep_send(&radio.zep, ack, sizeof ack);
    }
}

/* Reads all received frames. While the radio is off, only the awaited acknowledgement counts. */
static void listen(void)
{
    uint8_t psdu[FRAME_MAX];
    struct frame frame;
    size_t len;

    while ((len = zep_receive(&radio.zep, psdu)) > 0) {
        if (frame_parse(&frame, psdu, len) != MOTE_OK)
            continue;
        if (frame.type == FRAME_ACK && radio.waiting && frame.has_seq && frame.seq == radio.seq)
            radio.acknowledged = true;
        if (frame.type != FRAME_ACK && radio.on && is_for_us(&frame))
            enqueue(psdu, len, &frame);
    }
}

static int set_fd(fd_set *readable, fd_set *writable)
{
    (void)writable;
    (void)zep_tick(&radio.zep, port_now()); /* the loop runs at least once a second */
    FD_SET(radio.zep.fd, readable);
    return 1;
}

static void handle_fd(fd_set *readable, fd_set *writable)
{
    (void)writable;
    if (FD_ISSET(radio.zep.fd, readable))
        listen();
}

static const struct select_callback wake_up = {set_fd, handle_fd};

static void deliver(const struct heard *heard)
{
    packetbuf_clear();
    memcpy(packetbuf_dataptr(), heard->psdu, heard->len);
    packetbuf_set_datalen((uint16_t)heard->len);
    NETSTACK_MAC.input();
}

PROCESS_THREAD(zep_radio_process, event, data)
{
    PROCESS_BEGIN();
    for (;;) {
        PROCESS_YIELD_UNTIL(event == PROCESS_EVENT_POLL);
        while (radio.count > 0) {
            const struct heard heard = radio.heard[radio.first];

            radio.first = (radio.first + 1) % HEARD_MAX;
            radio.count--;
            deliver(&heard);
        }
    }
    PROCESS_END();
}

/* ---- sending ---- */

static void await_acknowledgement(void)
{
    const uint64_t end = port_now() + MAC_ACK_WAIT_MS;
    struct pollfd poller = {.fd = radio.zep.fd, .events = POLLIN};

    radio.waiting = true;
    radio.acknowledged = false;
    for (uint64_t now = port_now(); now < end && !radio.acknowledged; now = port_now()) {
        (void)poll(&poller, 1, (int)(end - now));
        listen();
    }
    radio.waiting = false;
}

static int prepare(const void *payload, unsigned short len)
{
    if (len > PAYLOAD_MAX)
        return 1;
    memcpy(radio.prepared, payload, len);
    return 0;
}

static int transmit(unsigned short len)
{
    struct frame frame;

    if (len > PAYLOAD_MAX || frame_parse(&frame, radio.prepared, len) != MOTE_OK)
        return RADIO_TX_ERR;
    zep_send(&radio.zep, radio.prepared, len);
    radio.seq = frame.seq;
    radio.acknowledged = false;
    if (frame.ack_request && !link_is_broadcast(&frame.dst))
        await_acknowledgement();
    return RADIO_TX_OK;
}

static int send(const void *payload, unsigned short len)
{
    return prepare(payload, len) == 0 ? transmit(len) : RADIO_TX_ERR;
}

/* ---- for CSMA ---- */

static int pending_packet(void)
{
    return radio.acknowledged;
}

static int read_acknowledgement(void *out, unsigned short size)
{
    uint8_t ack[FRAME_ACK_SIZE];

    if (!radio.acknowledged || size < sizeof ack)
        return 0;
    radio.acknowledged = false;
    frame_ack(radio.seq, ack);
    memcpy(out, ack, sizeof ack);
    return sizeof ack;
}

/* Always clear: the ether simulates the airtime, so there is no carrier to sense. */
static int channel_clear(void)
{
    return 1;
}

static int receiving_packet(void)
{
    return 0;
}

static int on(void)
{
    if (!radio.on)
        listen(); /* discards frames that arrived while it was off */
    radio.on = true;
    return 1;
}

static int off(void)
{
    radio.on = false;
    return 1;
}

static int init(void)
{
    const struct native_options *options = native_options();
    char problem[PROBLEM_SIZE];
    linkaddr_t own;

    native_eui64(own.u8);
    linkaddr_set_node_addr(&own);
    radio.pan = IEEE802154_PANID;
    radio.channel = IEEE802154_DEFAULT_CHANNEL;
    if (zep_open(&radio.zep, options->zep_host, options->zep_port, own.u8, problem,
                 sizeof problem) != 0) {
        fprintf(stderr, "%s\n", problem);
        exit(3);
    }
    if (!select_set_callback(radio.zep.fd, &wake_up)) {
        fprintf(stderr, "too many files are open\n");
        exit(3);
    }
    process_start(&zep_radio_process, NULL);
    return 1;
}

static radio_result_t get_value(radio_param_t parameter, radio_value_t *value)
{
    switch (parameter) {
    case RADIO_PARAM_POWER_MODE:
        *value = radio.on ? RADIO_POWER_MODE_ON : RADIO_POWER_MODE_OFF;
        return RADIO_RESULT_OK;
    case RADIO_PARAM_CHANNEL:
        *value = radio.channel;
        return RADIO_RESULT_OK;
    case RADIO_PARAM_PAN_ID:
        *value = radio.pan;
        return RADIO_RESULT_OK;
    case RADIO_PARAM_RX_MODE:
        *value = RADIO_RX_MODE_ADDRESS_FILTER | RADIO_RX_MODE_AUTOACK;
        return RADIO_RESULT_OK;
    case RADIO_CONST_CHANNEL_MIN:
    case RADIO_CONST_CHANNEL_MAX:
        *value = ZEP_CHANNEL;
        return RADIO_RESULT_OK;
    case RADIO_CONST_MAX_PAYLOAD_LEN:
        *value = PAYLOAD_MAX;
        return RADIO_RESULT_OK;
    default:
        return RADIO_RESULT_NOT_SUPPORTED;
    }
}

static radio_result_t set_value(radio_param_t parameter, radio_value_t value)
{
    switch (parameter) {
    case RADIO_PARAM_POWER_MODE:
        (void)(value == RADIO_POWER_MODE_ON ? on() : off());
        return RADIO_RESULT_OK;
    case RADIO_PARAM_CHANNEL:
        return value == ZEP_CHANNEL ? RADIO_RESULT_OK : RADIO_RESULT_INVALID_VALUE;
    case RADIO_PARAM_PAN_ID:
        radio.pan = (uint16_t)value;
        return RADIO_RESULT_OK;
    default:
        return RADIO_RESULT_NOT_SUPPORTED;
    }
}

static radio_result_t get_object(radio_param_t parameter, void *out, size_t size)
{
    (void)parameter;
    (void)out;
    (void)size;
    return RADIO_RESULT_NOT_SUPPORTED;
}

static radio_result_t set_object(radio_param_t parameter, const void *value, size_t size)
{
    (void)parameter;
    (void)value;
    (void)size;
    return RADIO_RESULT_NOT_SUPPORTED;
}

const struct radio_driver zep_radio_driver = {
    init,          prepare,          transmit,       send,      read_acknowledgement,
    channel_clear, receiving_packet, pending_packet, on,        off,
    get_value,     set_value,        get_object,     set_object};
