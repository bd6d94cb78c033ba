/* Any octets as an IPv6 packet: the parsers of headers, UDP and ICMPv6 and the echo reply read only
 * within bounds. */
#include "mote/ipv6.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ipv6_header header;
    struct ipv6_upper upper;
    struct udp udp;
    struct icmpv6 icmp;
    uint8_t out[IPV6_MTU];
    struct writer w;
    if (ipv6_parse(&header, data, size) != MOTE_OK)
        return 0;
    writer_init(&w, out, sizeof out);
    ipv6_write(&header, &w);
    if (memcmp(out, data, IPV6_HEADER_SIZE) != 0)
        abort();
    if (ipv6_find_upper(&upper, data, size) != MOTE_OK)
        return 0;
    if (upper.at + upper.len != size || upper.next_at >= upper.at)
        abort();
    udp_parse(&udp, &upper, data);
    icmpv6_parse(&icmp, &upper, data);
    icmpv6_echo_reply(&upper.dst, data, size, out, sizeof out);
    return 0;
}
