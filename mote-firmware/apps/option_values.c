#include "option_values.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool option_reject(const char *option, const char *value, const char *instead)
{
    fprintf(stderr, "vigil-mote: --%s %s: %s\n", option, value, instead);
    return false;
}

bool option_number(const char *option, const char *text, double least, double most, double scale,
                   uint64_t *value)
{
    char instead[80];
    char *end;
    double given = strtod(text, &end);

    if (end != text && *end == '\0' && given >= least && given <= most) {
        *value = (uint64_t)(given * scale + 0.5);
        return true;
    }
    snprintf(instead, sizeof instead, "give a number from %g to %g", least, most);
    return option_reject(option, text, instead);
}

bool option_choice(const char *option, const char *text, const char *no, const char *yes,
                   bool *value)
{
    char instead[80];

    *value = strcmp(text, yes) == 0;
    if (*value || strcmp(text, no) == 0)
        return true;
    snprintf(instead, sizeof instead, "give %s or %s", no, yes);
    return option_reject(option, text, instead);
}

bool option_append(const char *option, const char *text, const char **list, size_t *count,
                   size_t max)
{
    char instead[40];

    if (*count < max) {
        list[(*count)++] = text;
        return true;
    }
    snprintf(instead, sizeof instead, "give it at most %zu times", max);
    return option_reject(option, text, instead);
}

bool option_link_level(struct options *options, const char *text)
{
    if (strlen(text) != 1 || strchr("123567", *text) == NULL)
        return option_reject(
            "link-level", text,
            "give 1, 2, 3, 5, 6 or 7 (0 secures nothing, 4 authenticates nothing)");
    options->link_level = (uint8_t)(*text - '0');
    return true;
}

bool option_sn_octets(struct options *options, const char *text)
{
    if (strlen(text) != 1 || strchr("12", *text) == NULL)
        return option_reject("sn-octets", text, "give 1 or 2 (without it numbers are whole)");
    options->sn_octets = (uint8_t)(*text - '0');
    return true;
}

bool option_zep(struct options *options, const char *text)
{
    const char *host = *text == '[' ? text + 1 : text;
    size_t len = strcspn(host, *text == '[' ? "]" : ":");
    const char *port = host + len + (*text == '[' && host[len] == ']');

    if (len == 0 || len >= sizeof options->ether_host || *port != ':' ||
        strlen(port + 1) != strspn(port + 1, "0123456789") || strlen(port + 1) > 5 ||
        port[1] == '\0')
        return option_reject("zep", text, "give HOST:PORT, such as 127.0.0.1:17754");
    memcpy(options->ether_host, host, len);
    options->ether_host[len] = '\0';
    snprintf(options->ether_port, sizeof options->ether_port, "%s", port + 1);
    options->radio = true;
    return true;
}

bool option_eui64(struct options *options, const char *text)
{
    uint8_t *octets = options->eui64;
    size_t digits = 0;

    for (const char *c = text; *c != '\0'; c++) {
        const char digit[] = {*c, '\0'};

        if ((*c == ':' || *c == '-') && digits % 2 == 0)
            continue;
        if (!isxdigit((unsigned char)*c) || digits == 2 * sizeof options->eui64)
            return option_reject("eui64", text, "give 16 hexadecimal digits");
        octets[digits / 2] = (uint8_t)(octets[digits / 2] * 16u + strtoul(digit, NULL, 16));
        digits++;
    }
    options->eui64_given = true;
    return digits == 2 * sizeof options->eui64 ||
           option_reject("eui64", text, "give 16 hexadecimal digits");
}

bool option_mirror(struct options *options)
{
    static const char PLAIN[] = "coap://", SECURE[] = "coaps://";
    const char *host;
    const char *end;
    const char *rest;
    size_t len;

    options->coaps = strncmp(options->mirror, SECURE, strlen(SECURE)) == 0;
    if (!options->coaps && strncmp(options->mirror, PLAIN, strlen(PLAIN)) != 0)
        return option_reject("mirror", options->mirror,
                             "give coap://[ADDRESS]:PORT, or coaps:// and --psk");
    host = options->mirror + strlen(options->coaps ? SECURE : PLAIN);
    if (*host == '[') {
        host++;
        end = strchr(host, ']');
        rest = end == NULL ? "" : end + 1;
    } else {
        end = host + strcspn(host, ":/");
        rest = end;
    }
    len = end == NULL ? 0 : (size_t)(end - host);
    if (len == 0 || len >= sizeof options->mirror_host)
        return option_reject("mirror", options->mirror, "give coap://[ADDRESS]:PORT");
    memcpy(options->mirror_host, host, len);
    options->mirror_host[len] = '\0';
    snprintf(options->mirror_port, sizeof options->mirror_port, options->coaps ? "5684" : "5683");
    if (*rest == ':') {
        len = strspn(rest + 1, "0123456789");
        if (len == 0 || len > 5)
            return option_reject("mirror", options->mirror, "give the port as a number");
        memcpy(options->mirror_port, rest + 1, len);
        options->mirror_port[len] = '\0';
        rest += 1 + len;
    }
    if (*rest != '\0' && strcmp(rest, "/") != 0)
        return option_reject("mirror", options->mirror, "give no path: the mirror assigns it");
    return true;
}
