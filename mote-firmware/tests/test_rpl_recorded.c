/* The node in place of Contiki-NG's nodes in the recordings. */
#include "mote/ieee802154.h"
#include "rpl_play.h"
#include "vectors.h"

/* Passes on the recorded root's DIOs and DIS, but not its acknowledgements, which answer
 * Contiki-NG's DAOs. */
static void hear(struct play *play, const struct vector_line *line, uint32_t now)
{
    struct seen seen;
    struct link_address root = node_link(1);
    if (look(&seen, line->octets, line->len) && seen.icmp.code != RPL_DAO_ACK)
        CHECK_INT(rpl_receive(&play->node, line->octets, line->len, &root, now), MOTE_OK);
}

/* Finds the first recorded RPL message of node 2 with this code in forming.txt. */
static size_t recorded(uint8_t code, bool multicast, uint8_t *packet)
{
    FILE *file = vector_open("contiki-ng", "forming");
    struct vector_line line = {0};
    char from = 0;
    size_t len = 0;
    while (len == 0 && vector_next(file, &line)) {
        struct seen seen;
        if (line.kind != 'i')
            from = line.kind;
        else if (from == '<' && look(&seen, line.octets, line.len) && seen.icmp.code == code &&
                 ipv6_is_multicast(&seen.upper.dst) == multicast)
            memcpy(packet, line.octets, len = line.len);
    }
    fclose(file);
    return len;
}

/* Rank and checksum differ, because ETX is measured; everything else must be identical. */
static void mask_rank(uint8_t *packet)
{
    if (packet[6] == NEXT_HOP_BY_HOP)
        packet[46] = packet[47] = 0;
    else
        packet[42] = packet[43] = packet[46] = packet[47] = 0;
}

TEST(answers_the_recorded_root_as_contikis_node_did)
{
    static struct play play;
    FILE *file = vector_open("contiki-ng", "forming");
    struct vector_line line = {0};
    uint8_t expected[256];
    uint32_t now = 0;
    char from = 0;
    size_t len;
    memset(&play, 0, sizeof play);
    start(&play, 0);
    while (vector_next(file, &line)) {
        if (line.kind == '>' || line.kind == '<') {
            from = line.kind;
            run(&play, &now, (uint32_t)line.time);
        } else if (line.kind == 'i' && from == '>') {
            hear(&play, &line, now);
        }
    }
    fclose(file);
    CHECK_INT(play.node.state, RPL_REACHABLE);
    struct ipv6_address address = node_address(2);
    CHECK(ipv6_equal(&play.node.address, &address));
    len = recorded(RPL_DIS, true, expected);
    CHECK_OCTETS(play.dis_packet, play.dis_len, expected, len);
    len = recorded(RPL_DAO, false, expected);
    mask_rank(expected);
    mask_rank(play.dao_packet);
    CHECK_OCTETS(play.dao_packet, play.dao_len, expected, len);
    CHECK_INT(play.daos, 1);
    len = recorded(RPL_DIO, true, expected);
    mask_rank(expected);
    mask_rank(play.dio_packet);
    CHECK_OCTETS(play.dio_packet, play.dio_len, expected, len);
    CHECK(play.last_dio_rank >= 256 && play.last_dio_rank <= 512);
}

/* The steps of rejoin.txt, each with its required result at the begin of the next step. */
static void check_step(struct play *play, int step)
{
    switch (step) {
    case 1: /* formation */
        CHECK_INT(play->node.state, RPL_REACHABLE);
        CHECK_INT(play->last_dao_sequence, 241);
        break;
    case 2: /* multicast DIS: Trickle starts again; its DIO may come in the next step */
        return;
    case 3: /* unicast DIS: a unicast DIO */
        CHECK(play->dios >= 1);
        CHECK(play->unicast_dios >= 1);
        break;
    case 4: /* DTSN: a new DAO, and our own DTSN increases */
        CHECK_INT(play->last_dao_sequence, 242);
        CHECK_INT(play->node.dodag.dtsn, 241);
        break;
    case 7: /* our restart */
        CHECK_INT(play->node.state, RPL_REACHABLE);
        CHECK_INT(play->last_dao_sequence, 241);
        break;
    case 9: /* a refused DAO: the sub-DODAG is poisoned */
        CHECK_INT(play->poisons, 3);
        CHECK(play->dis >= 1);
        CHECK(ipv6_is_unspecified(&play->node.address));
        break;
    case 10: /* the root comes back with the next version */
        CHECK_INT(play->node.state, RPL_REACHABLE);
        CHECK_INT(play->node.dodag.version, 241);
        break;
    default:
        break;
    }
    play->dios = play->unicast_dios = play->poisons = play->dis = 0;
}

TEST(survives_the_recorded_rejoins)
{
    static struct play play;
    FILE *file = vector_open("contiki-ng", "rejoin");
    struct vector_line line = {0};
    uint32_t now = 0;
    char from = 0;
    int step = 0;
    memset(&play, 0, sizeof play);
    start(&play, 0);
    while (vector_next(file, &line)) {
        if (line.kind == '#') {
            check_step(&play, step++);
            play.status = step == 9 ? 128 : 0;
            if (step == 7)
                start(&play, now);
        } else if (line.kind == '>' || line.kind == '<') {
            from = line.kind;
            /* a restarted node keeps the clock: time never goes back */
            run(&play, &now, (uint32_t)line.time > now ? (uint32_t)line.time : now);
        } else if (line.kind == 'i' && from == '>') {
            struct seen seen;
            bool ours = play.node.state != RPL_POISONING;
            if (look(&seen, line.octets, line.len) && ours)
                hear(&play, &line, now);
        }
    }
    fclose(file);
    check_step(&play, step);
    CHECK_INT(step, 11);
}

TEST(forwards_every_recorded_packet_as_contikis_nodes_did)
{
    static struct {
        uint8_t from[8], to[8], packet[256];
        size_t len;
    } hops[64];
    size_t count = 0, forwarded = 0;
    FILE *file = vector_open("contiki-ng", "air");
    struct vector_line line = {0};
    struct frame frame = {0};
    while (vector_next(file, &line)) {
        size_t len;
        uint8_t *psdu = vector_psdu(&line, &len);
        if (psdu != NULL) {
            CHECK_INT(frame_parse(&frame, psdu, len), MOTE_OK);
        } else if (line.kind == 'i' && frame.dst.size == LINK_EXTENDED) {
            memcpy(hops[count].from, frame.src.octets, 8);
            memcpy(hops[count].to, frame.dst.octets, 8);
            memcpy(hops[count].packet, line.octets, hops[count].len = line.len);
            count++;
        }
    }
    fclose(file);
    for (size_t i = 0; i < count; i++) {
        struct rpl_node node = {.parent = 0, .state = RPL_REACHABLE};
        struct link_address to;
        bool found = false;
        uint8_t id = hops[i].to[1];
        if (id == 1)
            continue; /* the root */
        node.link = node_link(id);
        node.address = node_address(id);
        node.random = &chance;
        node.neighbours[0] = (struct rpl_neighbour){.used = true, .link = node_link(id - 1)};
        for (size_t j = i + 1; j < count && !found; j++) {
            uint8_t packet[256];
            memcpy(packet, hops[i].packet, hops[i].len);
            bool up = packet[6] == NEXT_HOP_BY_HOP;
            node.dodag.rank = (uint16_t)(hops[j].packet[46] << 8 | hops[j].packet[47]);
            if (memcmp(hops[j].from, hops[i].to, 8) != 0 || hops[j].len != hops[i].len ||
                (up != (hops[j].packet[6] == NEXT_HOP_BY_HOP)) ||
                rpl_route(&node, packet, hops[i].len, &to, 0) != RPL_FORWARD)
                continue;
            found = memcmp(packet, hops[j].packet, hops[j].len) == 0 &&
                    memcmp(to.octets, hops[j].to, 8) == 0;
        }
        uint8_t packet[256];
        memcpy(packet, hops[i].packet, hops[i].len);
        node.dodag.rank = 0x80;
        int verdict = rpl_route(&node, packet, hops[i].len, &to, 0);
        CHECK_INT(found, verdict == RPL_FORWARD);
        forwarded += found;
    }
    CHECK_INT(forwarded, 6); /* the DAO of node 3 once, of 4 twice; the answers likewise */
}

TEST(leaves_after_five_unanswered_daos_without_a_dio)
{
    static struct play play;
    struct link_address root = node_link(1);
    FILE *file = vector_open("contiki-ng", "forming");
    struct vector_line line_ = {0};
    uint32_t now = 0;
    memset(&play, 0, sizeof play);
    play.status = 0xff; /* a root that never answers */
    start(&play, 0);
    while (vector_next(file, &line_)) {
        struct seen seen;
        if (line_.kind == 'i' && look(&seen, line_.octets, line_.len) &&
            seen.icmp.code == RPL_DIO) {
            CHECK_INT(rpl_receive(&play.node, line_.octets, line_.len, &root, now), MOTE_OK);
            break;
        }
    }
    fclose(file);
    run(&play, &now, 20000);
    CHECK_INT(play.node.state, RPL_JOINED);
    CHECK_INT(play.dios, 0);
    run(&play, &now, 60000);
    CHECK_INT(play.daos, 5);
    CHECK_INT(play.poisons, 3);
    CHECK_INT(play.dios, 3);
    CHECK_INT(play.node.state, RPL_SEARCHING);
}

int main(void)
{
    RUN(answers_the_recorded_root_as_contikis_node_did);
    RUN(survives_the_recorded_rejoins);
    RUN(forwards_every_recorded_packet_as_contikis_nodes_did);
    RUN(leaves_after_five_unanswered_daos_without_a_dio);
    return harness_report();
}
