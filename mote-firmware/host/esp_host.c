#include "esp_host.h"

#include <stdio.h>

#include "mote/base.h"
#include "mote/ipsec.h"

int esp_host_open(struct esp_host *host, struct associations *associations, char *problem,
                  size_t size)
{
    const struct sa_file *file = &associations->file;

    *host = (struct esp_host){.associations = associations};
    for (size_t i = 0; i < file->count; i++) {
        const struct sa_entry *entry = &file->entries[i];

        if (entry->stored || ipsec_protocol_number(&entry->sa) != NEXT_ESP) {
            snprintf(problem, size, "--sa: line %u: only `in` and `out` with esp or esp-udp",
                     entry->line);
            return -1;
        }
    }
    if (file->count == 0) {
        snprintf(problem, size, "--sa: the file has no association");
        return -1;
    }
    return 0;
}

/* A host stores each number that it receives: a restart refuses none of the next ones. */
static int save(const struct esp_host *host, struct sa_entry *entry)
{
    const struct associations *associations = host->associations;
    const uint8_t *name = associations->names[entry - associations->file.entries];

    if (entry->inbound && counter_store_limit(associations->counters, name) > 0)
        return counter_store_reserve(associations->counters, name, entry->sa.top, 0);
    return sa_entry_save(entry, associations->counters, name);
}

static struct sa_entry *find(const struct esp_host *host, bool inbound,
                             const struct ipv6_header *header, uint32_t spi)
{
    struct sa_file *file = &host->associations->file;

    for (size_t i = 0; i < file->count; i++) {
        struct sa_entry *entry = &file->entries[i];

        if (entry->inbound == inbound && ipv6_equal(&entry->source, &header->src) &&
            ipv6_equal(&entry->destination, &header->dst) && (!inbound || entry->sa.spi == spi))
            return entry;
    }
    return NULL;
}

/* UDP, or an ICMPv6 echo or error. A peer must not reach the kernel's routing or its neighbour
 * discovery. */
static bool is_for_applications(const uint8_t *packet, size_t len)
{
    struct ipv6_upper upper;

    if (ipv6_find_upper(&upper, packet, len) != MOTE_OK || upper.at != IPV6_HEADER_SIZE)
        return false;
    if (upper.protocol == NEXT_UDP)
        return true;
    if (upper.protocol != NEXT_ICMPV6 || upper.len == 0)
        return false;
    uint8_t type = packet[upper.at];
    return (type >= ICMPV6_UNREACHABLE && type <= ICMPV6_PARAMETER_PROBLEM) ||
           type == ICMPV6_ECHO_REQUEST || type == ICMPV6_ECHO_REPLY;
}

int esp_host_receive(struct esp_host *host, const uint8_t *packet, size_t len, uint8_t *out)
{
    struct ipv6_header header;
    struct sa_entry *entry = NULL;
    uint8_t protocol;
    uint32_t spi;
    int error = ipv6_parse(&header, packet, len);

    if (error == MOTE_OK)
        error = ipsec_peek(packet, len, &protocol, &spi);
    if (error == MOTE_OK && protocol == NEXT_ESP)
        entry = find(host, true, &header, spi);
    if (entry == NULL) {
        host->counts.unknown++;
        return MOTE_E_STATE;
    }
    int opened =
        ipsec_open(&entry->sa, &host->associations->crypto, packet, len, out, ESP_HOST_PACKET_MAX);
    error = opened < 0 ? opened : save(host, entry);
    if (error != MOTE_OK) {
        host->counts.bad_esp++;
        return error;
    }
    if (!is_for_applications(out, (size_t)opened)) {
        host->counts.refused++;
        return MOTE_E_UNSUPPORTED;
    }
    host->counts.opened++;
    return opened;
}

int esp_host_send(struct esp_host *host, const uint8_t *packet, size_t len, uint8_t *out)
{
    struct ipv6_header header;
    struct ipv6_upper upper;
    struct sa_entry *entry = NULL;
    int result = ipv6_parse(&header, packet, len);

    if (result == MOTE_OK)
        result = ipv6_find_upper(&upper, packet, len);
    if (result == MOTE_OK && ipv6_is_multicast(&header.dst))
        return MOTE_E_UNSUPPORTED;            /* the kernel greets every device with such packets */
    if (result == MOTE_OK && !upper.fragment) /* only whole packets: RFC 4303 section 3.3.4 */
        entry = find(host, false, &header, 0);
    if (entry == NULL)
        result = MOTE_E_STATE;
    else
        result = save(host, entry);
    if (result == MOTE_OK)
        result = ipsec_seal(&entry->sa, &host->associations->crypto, packet, len, out,
                            ESP_HOST_PACKET_MAX);
    if (result < 0)
        host->counts.unsendable++;
    else
        host->counts.sealed++;
    return result;
}
