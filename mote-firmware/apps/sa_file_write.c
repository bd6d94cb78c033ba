/* Associations as C, for images that have no file system to read them from. */
#include "sa_file.h"

static void write_octets(FILE *out, const char *name, const uint8_t *octets, size_t size)
{
    fprintf(out, ", .%s = {", name);
    for (size_t i = 0; i < size; i++)
        fprintf(out, "%s0x%02x", i == 0 ? "" : ", ", octets[i]);
    fputs("}", out);
}

static const char *protocol_name(const struct ipsec_protocol *protocol)
{
    if (protocol == &ipsec_esp)
        return "&ipsec_esp";
    return protocol == &ipsec_esp_udp ? "&ipsec_esp_udp" : "&ipsec_ah";
}

static const char *cipher_name(const struct ipsec_cipher *cipher)
{
    if (cipher == NULL)
        return "NULL";
    if (cipher == &ipsec_aes_cbc)
        return "&ipsec_aes_cbc";
    return cipher == &ipsec_aes_ctr ? "&ipsec_aes_ctr" : "&ipsec_aes_ccm_8";
}

static const char *integrity_name(const struct ipsec_integrity *integrity)
{
    if (integrity == NULL)
        return "NULL";
    if (integrity == &ipsec_xcbc_96)
        return "&ipsec_xcbc_96";
    return integrity == &ipsec_hmac_sha1_96 ? "&ipsec_hmac_sha1_96" : "&ipsec_hmac_sha256_128";
}

static void write_entry(const struct sa_entry *entry, FILE *out)
{
    const struct ipsec_sa *sa = &entry->sa;

    fprintf(out, "    {.line = %u, .inbound = %s", entry->line, entry->inbound ? "true" : "false");
    write_octets(out, "source.octets", entry->source.octets, sizeof entry->source.octets);
    write_octets(out, "destination.octets", entry->destination.octets,
                 sizeof entry->destination.octets);
    fprintf(out, ",\n     .sa = {.protocol = %s, .cipher = %s, .integrity = %s, .spi = 0x%08lx",
            protocol_name(sa->protocol), cipher_name(sa->cipher), integrity_name(sa->integrity),
            (unsigned long)sa->spi);
    write_octets(out, "key", sa->key, sizeof sa->key);
    write_octets(out, "salt", sa->salt, sizeof sa->salt);
    write_octets(out, "integrity_key", sa->integrity_key, sizeof sa->integrity_key);
    fputs("}},\n", out);
}

static void write_entries(const struct sa_file *file, bool stored, const char *name, FILE *out)
{
    fprintf(out, "static struct sa_entry %s[] = {\n", name);
    for (size_t i = 0; i < file->count; i++)
        if (file->entries[i].stored == stored && file->stores[i][0] == '\0')
            write_entry(&file->entries[i], out);
    fputs("};\n", out);
}

void sa_file_write_c(const struct sa_file *file, FILE *out)
{
    fputs("/* Made from a file of associations: it holds their keys. */\n"
          "#ifdef MOTE_STORED_ASSOCIATIONS\n",
          out);
    write_entries(file, true, "stored_associations", out);
    fputs("#else\n", out);
    write_entries(file, false, "associations", out);
    fputs("#endif\n", out);
}
