/* Node 2 of an RPL network with a scripted root. The root counts the node's messages and
 * acknowledges its DAOs. */
#ifndef MOTE_TESTS_RPL_PLAY_H
#define MOTE_TESTS_RPL_PLAY_H

#include "harness.h"
#include "support/rpl.h"

static inline int roll(void *context, uint8_t *out, size_t len)
{
    dice_fill(context, out, len);
    return 0;
}

static struct dice dice = {20260101};
static const struct random chance = {roll, &dice};

struct play {
    struct rpl_node node;
    uint8_t status; /* of the next DAO-ACK */
    unsigned dis, dios, unicast_dios, daos, poisons;
    unsigned last_dio_rank;
    uint8_t last_dao_sequence;
    uint8_t dis_packet[256], dao_packet[256], dio_packet[256];
    size_t dis_len, dao_len, dio_len;
};

static inline void note(struct play *play, const uint8_t *packet, size_t len,
                        const struct link_address *to, uint32_t now)
{
    struct seen seen;
    REQUIRE(look(&seen, packet, len));
    if (seen.icmp.code == RPL_DIS) {
        play->dis++;
        memcpy(play->dis_packet, packet, play->dis_len = len);
    } else if (seen.icmp.code == RPL_DIO && !link_is_broadcast(to)) {
        play->unicast_dios++;
        rpl_transmitted(&play->node, to, 1, true, now);
    } else if (seen.icmp.code == RPL_DIO) {
        play->dios++;
        play->last_dio_rank = (unsigned)seen.icmp.body[2] << 8 | seen.icmp.body[3];
        play->poisons += play->last_dio_rank == RPL_RANK_INFINITE;
        memcpy(play->dio_packet, packet, play->dio_len = len);
    } else if (seen.icmp.code == RPL_DAO) {
        uint8_t ack[256];
        const uint8_t path[1] = {2};
        struct link_address root = node_link(1);
        play->daos++;
        play->last_dao_sequence = seen.icmp.body[3];
        memcpy(play->dao_packet, packet, play->dao_len = len);
        rpl_transmitted(&play->node, to, 1, true, now);
        if (play->status != 0xff) { /* with 0xff the root is silent */
            size_t n = make_ack(ack, 1, play->last_dao_sequence, play->status, path, 1);
            CHECK_INT(rpl_receive(&play->node, ack, n, &root, now), MOTE_OK);
        }
    }
}

/* Runs the node from deadline to deadline, until `until`. */
static inline void run(struct play *play, uint32_t *now, uint32_t until)
{
    uint8_t packet[256];
    struct link_address to;
    for (int guard = 0; guard < 100000; guard++) {
        int len;
        while ((len = rpl_next_message(&play->node, *now, packet, sizeof packet, &to)) > 0)
            note(play, packet, (size_t)len, &to, *now);
        REQUIRE(len == 0);
        uint32_t due = rpl_due(&play->node);
        if (due - *now > until - *now)
            break;
        *now = due;
    }
    *now = until;
}

static inline void start(struct play *play, uint32_t now)
{
    struct link_address link = node_link(2);
    rpl_start(&play->node, &link, &chance, now);
}

#endif
