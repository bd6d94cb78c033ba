#define _POSIX_C_SOURCE 200809L
#include "sa_file.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "mote/base.h"

enum { SALT_MAX = 4, ADDRESS_TEXT = INET6_ADDRSTRLEN };

/* A profile: header, algorithms and the octets of the keys. */
struct profile {
    const char *name;
    const struct ipsec_protocol *protocol;
    const struct ipsec_cipher *cipher;
    const struct ipsec_integrity *integrity;
    size_t salt; /* after the cipher's key */
    size_t integrity_key;
};

static const struct profile PROFILES[] = {
    {"cbc-xcbc", &ipsec_esp, &ipsec_aes_cbc, &ipsec_xcbc_96, 0, 16},
    {"ctr-xcbc", &ipsec_esp, &ipsec_aes_ctr, &ipsec_xcbc_96, 4, 16},
    {"cbc-sha1", &ipsec_esp, &ipsec_aes_cbc, &ipsec_hmac_sha1_96, 0, 20},
    {"ctr-sha1", &ipsec_esp, &ipsec_aes_ctr, &ipsec_hmac_sha1_96, 4, 20},
    {"cbc-sha256", &ipsec_esp, &ipsec_aes_cbc, &ipsec_hmac_sha256_128, 0, 32},
    {"ccm8", &ipsec_esp, &ipsec_aes_ccm_8, NULL, 3, 0},
    {"ah-sha1", &ipsec_ah, NULL, &ipsec_hmac_sha1_96, 0, 20},
    {"ah-xcbc", &ipsec_ah, NULL, &ipsec_xcbc_96, 0, 16},
};

/* A part of the file's text. */
struct word {
    const char *at;
    size_t len;
};

static bool is(struct word word, const char *text)
{
    return word.len == strlen(text) && memcmp(word.at, text, word.len) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Splits a line up to its comment; SA_FILE_WORDS + 1: too many words. */
static size_t split(const char *line, size_t len, struct word *words)
{
    size_t count = 0;
    size_t i = 0;

    while (i < len && line[i] != '#') {
        size_t start = i;

        while (i < len && line[i] != '#' && !is_blank(line[i]))
            i++;
        if (i > start && count == SA_FILE_WORDS)
            return SA_FILE_WORDS + 1;
        if (i > start)
            words[count++] = (struct word){line + start, i - start};
        while (i < len && is_blank(line[i]))
            i++;
    }
    return count;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads exactly `size` octets of hexadecimal digits. */
static bool read_octets(struct word word, uint8_t *out, size_t size)
{
    if (word.len != 2 * size)
        return false;
    for (size_t i = 0; i < size; i++) {
        int high = digit(word.at[2 * i]);
        int low = digit(word.at[2 * i + 1]);

        if (high < 0 || low < 0)
            return false;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* 0x and up to eight hexadecimal digits. */
static bool read_spi(struct word word, uint32_t *spi)
{
    *spi = 0;
    if (word.len < 3 || word.len > 10 || memcmp(word.at, "0x", 2) != 0)
        return false;
    for (size_t i = 2; i < word.len; i++) {
        int value = digit(word.at[i]);

        if (value < 0)
            return false;
        *spi = *spi << 4 | (uint32_t)value;
    }
    return *spi != 0;
}

static bool read_address(struct word word, struct ipv6_address *address)
{
    char text[ADDRESS_TEXT] = "";

    if (word.len >= sizeof text)
        return false;
    memcpy(text, word.at, word.len);
    return inet_pton(AF_INET6, text, address->octets) == 1 && !ipv6_is_multicast(address) &&
           !ipv6_is_unspecified(address);
}

static const struct profile *find_profile(struct word word)
{
    for (size_t i = 0; i < sizeof PROFILES / sizeof PROFILES[0]; i++)
        if (is(word, PROFILES[i].name))
            return &PROFILES[i];
    return NULL;
}

/* Blocks are stored in one profile (docs/protocol.md section 12). */
static bool stores(const struct profile *profile)
{
    return profile->cipher == &ipsec_aes_ctr && profile->integrity == &ipsec_xcbc_96;
}

/* Reads the words of the keys that the profile needs. */
static const char *read_keys(struct sa_entry *entry, const struct profile *profile,
                             const struct word *words, size_t count)
{
    uint8_t key[AES_BLOCK + SALT_MAX];
    size_t at = 0;
    bool right = true;

    if (profile->cipher != NULL) {
        right = count > 0 && read_octets(words[at++], key, AES_BLOCK + profile->salt);
        if (right) {
            memcpy(entry->sa.key, key, AES_BLOCK);
            memcpy(entry->sa.salt, key + AES_BLOCK, profile->salt);
        }
        wipe(key, sizeof key);
    }
    if (right && profile->integrity != NULL)
        right =
            at < count && read_octets(words[at++], entry->sa.integrity_key, profile->integrity_key);
    return right && at == count
               ? NULL
               : "the keys do not have the profile's sizes: cipher 16 octets (ctr 20, ccm8 19, "
                 "with the salt), integrity 16 (sha1 20, sha256 32, ccm8 none), in hexadecimal "
                 "digits";
}

bool store_name_read(const char *text, size_t len, char name[STORE_NAME_MAX + 1])
{
    bool valid = len > 0 && len <= STORE_NAME_MAX;

    for (size_t i = 0; i < len && valid; i++)
        valid = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= '0' && text[i] <= '9') ||
                text[i] == '-';
    memset(name, 0, STORE_NAME_MAX + 1);
    if (valid)
        memcpy(name, text, len);
    return valid;
}

/* Shortens `store=NAME` to `store`; false for a wrong name. Other words stay, without a name. */
static bool read_store_name(struct word *word, char name[STORE_NAME_MAX + 1])
{
    static const char named[] = "store=";
    size_t len = sizeof named - 1;

    name[0] = '\0';
    if (word->len < len || memcmp(word->at, named, len) != 0)
        return true;
    if (!store_name_read(word->at + len, word->len - len, name))
        return false;
    word->len = len - 1;
    return true;
}

static const char *read_entry(struct sa_entry *entry, char *store, struct word *words, size_t count)
{
    const struct profile *profile = count > 2 ? find_profile(words[2]) : NULL;
    bool udp = profile != NULL && profile->protocol == &ipsec_esp && is(words[1], "esp-udp");

    if (count < 6 || count > SA_FILE_WORDS)
        return "give: in|out|store esp|esp-udp|ah PROFILE SPI SOURCE DESTINATION KEY [KEY]";
    if (!read_store_name(&words[0], store))
        return "the name of a block store is 1 to 15 of a to z, 0 to 9 and -";
    if (!is(words[0], "in") && !is(words[0], "out") && !is(words[0], "store"))
        return "the first word is in or out, seen from the node that has the file, or store";
    if (is(words[2], "cbc") || is(words[2], "ctr") || is(words[2], "null"))
        return "no ICV protects these packets: give cbc-xcbc, ctr-xcbc, cbc-sha1, ctr-sha1, "
               "cbc-sha256 or ccm8";
    if (profile == NULL || !(is(words[1], profile->protocol == &ipsec_esp ? "esp" : "ah") || udp))
        return "give esp or esp-udp with cbc-xcbc, ctr-xcbc, cbc-sha1, ctr-sha1, cbc-sha256 or "
               "ccm8, or ah with ah-sha1 or ah-xcbc";
    if (is(words[0], "store") && (udp || !stores(profile)))
        return "blocks are stored with esp ctr-xcbc";
    entry->inbound = is(words[0], "in");
    entry->stored = is(words[0], "store");
    entry->sa.protocol = udp ? &ipsec_esp_udp : profile->protocol;
    entry->sa.cipher = profile->cipher;
    entry->sa.integrity = profile->integrity;
    if (!read_spi(words[3], &entry->sa.spi))
        return "the SPI is 0x and one to eight hexadecimal digits, not 0";
    if (!read_address(words[4], &entry->source) || !read_address(words[5], &entry->destination))
        return "source and destination are unicast IPv6 addresses";
    return read_keys(entry, profile, words + 6, count - 6);
}

static bool keys_equal(const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len)
{
    return a_len > 0 && a_len == b_len && equal_ct(a, b, a_len);
}

static size_t cipher_size(const struct ipsec_sa *sa)
{
    return sa->cipher != NULL ? AES_BLOCK : 0;
}

static size_t integrity_size(const struct ipsec_sa *sa)
{
    if (sa->integrity == NULL)
        return 0;
    if (sa->integrity == &ipsec_hmac_sha256_128)
        return SHA256_SIZE;
    return sa->integrity == &ipsec_hmac_sha1_96 ? SHA1_SIZE : AES_BLOCK;
}

/* True for the same key: the salt does not make keys different. */
static bool share_key(const struct ipsec_sa *a, const struct ipsec_sa *b)
{
    return keys_equal(a->key, cipher_size(a), b->key, cipher_size(b)) ||
           keys_equal(a->key, cipher_size(a), b->integrity_key, integrity_size(b)) ||
           keys_equal(a->integrity_key, integrity_size(a), b->key, cipher_size(b)) ||
           keys_equal(a->integrity_key, integrity_size(a), b->integrity_key, integrity_size(b));
}

static bool same_way(const struct sa_entry *a, const struct sa_entry *b)
{
    return a->stored == b->stored && a->inbound == b->inbound &&
           ipv6_equal(sa_entry_peer(a), sa_entry_peer(b));
}

static bool same_ends(const struct sa_entry *a, const struct sa_entry *b)
{
    return ipv6_equal(&a->source, &b->source) && ipv6_equal(&a->destination, &b->destination);
}

static bool same_block_store(const struct sa_file *file, size_t i, size_t j)
{
    const struct sa_entry *a = &file->entries[i];
    const struct sa_entry *b = &file->entries[j];

    return a->stored && b->stored && strcmp(file->stores[i], file->stores[j]) == 0 &&
           same_ends(a, b);
}

/* Compares the entry behind the last one with entry `i`. `keys` counts entries of its block store
 * between the same ends: two while the key is changed. */
static const char *conflict(const struct sa_file *file, size_t i, unsigned *keys)
{
    const struct sa_entry *a = &file->entries[file->count];
    const struct sa_entry *b = &file->entries[i];
    static const char occupied[] = "already has this protocol and direction for this peer";
    bool protocol = ipsec_protocol_number(&a->sa) == ipsec_protocol_number(&b->sa);

    if (share_key(&a->sa, &b->sa))
        return "has the same key";
    if (protocol && a->sa.spi == b->sa.spi && ipv6_equal(&a->destination, &b->destination))
        return "has the same destination, protocol and SPI";
    if (same_block_store(file, file->count, i) && ++*keys == 2)
        return occupied;
    return !a->stored && protocol && same_way(a, b) ? occupied : NULL;
}

/* Adds the association of one line, if it has one. */
static int add_line(struct sa_file *file, unsigned number, const char *line, size_t len,
                    char *problem, size_t size)
{
    struct word words[SA_FILE_WORDS];
    struct sa_entry *entry = &file->entries[file->count];
    size_t count = split(line, len, words);
    unsigned keys = 0;
    const char *wrong;

    if (count == 0)
        return 0;
    if (file->count == SA_FILE_ENTRIES) {
        snprintf(problem, size, "line %u: more than %d associations", number, SA_FILE_ENTRIES);
        return -1;
    }
    *entry = (struct sa_entry){.line = number};
    wrong = read_entry(entry, file->stores[file->count], words, count);
    if (wrong == NULL && keys_equal(entry->sa.key, cipher_size(&entry->sa), entry->sa.integrity_key,
                                    integrity_size(&entry->sa)))
        wrong = "cipher and integrity have the same key";
    if (wrong != NULL) {
        snprintf(problem, size, "line %u: %s", number, wrong);
        return -1;
    }
    for (size_t i = 0; i < file->count; i++) {
        wrong = conflict(file, i, &keys);
        if (wrong != NULL) {
            snprintf(problem, size, "line %u: line %u %s", number, file->entries[i].line, wrong);
            return -1;
        }
    }
    file->count++;
    return 0;
}

int sa_file_parse(struct sa_file *file, const char *text, size_t len, char *problem, size_t size)
{
    unsigned number = 0;

    memset(file, 0, sizeof *file);
    for (size_t at = 0; at < len;) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t line = end != NULL ? (size_t)(end - text) - at : len - at;

        if (add_line(file, ++number, text + at, line, problem, size) != 0) {
            wipe(file, sizeof *file);
            return -1;
        }
        at += line + 1;
    }
    return 0;
}

struct sa_entry *sa_file_stored(struct sa_file *file, const char *name, struct sa_entry **previous,
                                size_t *count)
{
    struct sa_entry *last = NULL;
    struct sa_entry *first = NULL;

    *count = 0;
    for (size_t i = 0; i < file->count; i++)
        if (file->entries[i].stored && strcmp(file->stores[i], name) == 0) {
            first = last;
            last = &file->entries[i];
            ++*count;
        }
    *previous = first;
    return *count == 1 || (*count == 2 && same_ends(first, last)) ? last : NULL;
}
