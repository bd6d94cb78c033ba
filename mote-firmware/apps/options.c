/* Reads the command line; every complaint names the option, the value and what would be right. */
#include <arpa/inet.h>
#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

enum {
    WAKE_MAX = 7 * 24 * 3600, /* seconds */
    LIFETIME_MIN = 60,        /* RFC 9176, 5.3: seconds */
    LISTEN_MAX = 60 * 1000,
    LISTEN_NEAR = 500,
    LISTEN_MESH = 2000, /* an answer comes over several hops, and the radio is on anyway */
    COUNT_MAX = 1000 * 1000 * 1000
};

#define LISTEN_UNTOLD UINT32_MAX

enum {
    OPT_EP = 256,
    OPT_DOMAIN,
    OPT_MIRROR,
    OPT_STATE,
    OPT_WAKE,
    OPT_LIFETIME,
    OPT_SENSOR,
    OPT_ACTUATOR,
    OPT_COMMANDER,
    OPT_CHECK,
    OPT_SERVE,
    OPT_LINK_KEY,
    OPT_LINK_LEVEL,
    OPT_FORM,
    OPT_PAYLOAD,
    OPT_LISTEN,
    OPT_NO_CLOCK,
    OPT_COUNT,
    OPT_ZEP,
    OPT_ENCRYPT,
    OPT_MESH,
    OPT_MIRROR_KEY,
    OPT_EUI64,
    OPT_HELP
};

static const struct option NAMES[] = {{"ep", required_argument, NULL, OPT_EP},
                                      {"domain", required_argument, NULL, OPT_DOMAIN},
                                      {"mirror", required_argument, NULL, OPT_MIRROR},
                                      {"mirror-key", required_argument, NULL, OPT_MIRROR_KEY},
                                      {"state", required_argument, NULL, OPT_STATE},
                                      {"wake", required_argument, NULL, OPT_WAKE},
                                      {"lifetime", required_argument, NULL, OPT_LIFETIME},
                                      {"sensor", required_argument, NULL, OPT_SENSOR},
                                      {"actuator", required_argument, NULL, OPT_ACTUATOR},
                                      {"commander", required_argument, NULL, OPT_COMMANDER},
                                      {"check", required_argument, NULL, OPT_CHECK},
                                      {"serve", no_argument, NULL, OPT_SERVE},
                                      {"link-key", required_argument, NULL, OPT_LINK_KEY},
                                      {"link-level", required_argument, NULL, OPT_LINK_LEVEL},
                                      {"form", required_argument, NULL, OPT_FORM},
                                      {"encrypt", no_argument, NULL, OPT_ENCRYPT},
                                      {"payload", required_argument, NULL, OPT_PAYLOAD},
                                      {"listen", required_argument, NULL, OPT_LISTEN},
                                      {"no-clock", no_argument, NULL, OPT_NO_CLOCK},
                                      {"count", required_argument, NULL, OPT_COUNT},
                                      {"zep", required_argument, NULL, OPT_ZEP},
                                      {"mesh", no_argument, NULL, OPT_MESH},
                                      {"eui64", required_argument, NULL, OPT_EUI64},
                                      {"help", no_argument, NULL, OPT_HELP},
                                      {NULL, 0, NULL, 0}};

static bool complain(const char *option, const char *value, const char *wanted)
{
    fprintf(stderr, "vigil-mote: --%s %s: %s\n", option, value, wanted);
    return false;
}

/* A number within limits, times `scale`. */
static bool number(const char *option, const char *text, double least, double most, double scale,
                   uint64_t *value)
{
    char wanted[80];
    char *end;
    double given = strtod(text, &end);

    if (end != text && *end == '\0' && given >= least && given <= most) {
        *value = (uint64_t)(given * scale + 0.5);
        return true;
    }
    snprintf(wanted, sizeof wanted, "give a number from %g to %g", least, most);
    return complain(option, text, wanted);
}

/* One of two words. */
static bool choice(const char *option, const char *text, const char *no, const char *yes,
                   bool *value)
{
    char wanted[80];

    *value = strcmp(text, yes) == 0;
    if (*value || strcmp(text, no) == 0)
        return true;
    snprintf(wanted, sizeof wanted, "give %s or %s", no, yes);
    return complain(option, text, wanted);
}

/* One more of what may be given several times. */
static bool add(const char *option, const char *text, const char **list, size_t *count, size_t max)
{
    char wanted[40];

    if (*count < max) {
        list[(*count)++] = text;
        return true;
    }
    snprintf(wanted, sizeof wanted, "at most %zu of them", max);
    return complain(option, text, wanted);
}

static bool level(struct options *options, const char *text)
{
    if (strlen(text) != 1 || strchr("123567", *text) == NULL)
        return complain("link-level", text,
                        "give 1, 2, 3, 5, 6 or 7: 0 is no security, and 4 would authenticate "
                        "nothing");
    options->link_level = (uint8_t)(*text - '0');
    return true;
}

/* HOST:PORT, HOST an IPv6 address in brackets, an IPv4 address or a name. */
static bool ether(struct options *options, const char *text)
{
    const char *host = *text == '[' ? text + 1 : text;
    size_t len = strcspn(host, *text == '[' ? "]" : ":");
    const char *port = host + len + (*text == '[' && host[len] == ']');

    if (len == 0 || len >= sizeof options->ether_host || *port != ':' ||
        strlen(port + 1) != strspn(port + 1, "0123456789") || strlen(port + 1) > 5 ||
        port[1] == '\0')
        return complain("zep", text, "give HOST:PORT, such as 127.0.0.1:17754");
    memcpy(options->ether_host, host, len);
    options->ether_host[len] = '\0';
    snprintf(options->ether_port, sizeof options->ether_port, "%s", port + 1);
    options->radio = true;
    return true;
}

static bool eui64(struct options *options, const char *text)
{
    uint8_t *octets = options->eui64;
    size_t digits = 0;

    for (const char *c = text; *c != '\0'; c++) {
        const char digit[] = {*c, '\0'};

        if ((*c == ':' || *c == '-') && digits % 2 == 0)
            continue;
        if (!isxdigit((unsigned char)*c) || digits == 2 * sizeof options->eui64)
            return complain("eui64", text, "give 16 hexadecimal digits");
        octets[digits / 2] = (uint8_t)(octets[digits / 2] * 16u + strtoul(digit, NULL, 16));
        digits++;
    }
    options->eui64_given = true;
    return digits == 2 * sizeof options->eui64 ||
           complain("eui64", text, "give 16 hexadecimal digits");
}

static bool take(struct options *options, int option, const char *text)
{
    uint64_t value = 0;
    bool chosen = false;
    bool right = true;

    switch (option) {
    case OPT_EP:
        options->ep = text;
        break;
    case OPT_DOMAIN:
        options->domain = text;
        break;
    case OPT_MIRROR:
        options->mirror = text;
        break;
    case OPT_MIRROR_KEY:
        options->mirror_jkt = text;
        right = strlen(text) == JOSE_JKT_LEN ||
                complain("mirror-key", text, "give the 43 letters of a key's thumbprint");
        break;
    case OPT_STATE:
        options->state = text;
        break;
    case OPT_WAKE:
        right = number("wake", text, 0.01, WAKE_MAX, 1000, &options->wake_ms);
        break;
    case OPT_LIFETIME:
        right = number("lifetime", text, LIFETIME_MIN, UINT32_MAX, 1, &value);
        options->lifetime = (uint32_t)value;
        break;
    case OPT_SENSOR:
        right = add("sensor", text, options->sensors, &options->sensor_count, OPTIONS_SENSORS_MAX);
        break;
    case OPT_ACTUATOR:
        right = add("actuator", text, options->actuators, &options->actuator_count,
                    OPTIONS_ACTUATORS_MAX);
        break;
    case OPT_COMMANDER:
        right = add("commander", text, options->commanders, &options->commander_count,
                    OPTIONS_COMMANDERS_MAX);
        break;
    case OPT_CHECK:
        right = number("check", text, 1, COUNT_MAX, 1, &value);
        options->check_every = (uint32_t)value;
        break;
    case OPT_SERVE:
        options->serve = true;
        break;
    case OPT_LINK_KEY:
        options->link_key = text;
        break;
    case OPT_LINK_LEVEL:
        right = level(options, text);
        break;
    case OPT_FORM:
        right = choice("form", text, "jws", "compact", &chosen);
        options->form = chosen ? APP_FORM_COMPACT : APP_FORM_JWS;
        break;
    case OPT_ENCRYPT:
        options->encrypt = true;
        break;
    case OPT_PAYLOAD:
        right = choice("payload", text, "json", "cbor", &options->cbor);
        break;
    case OPT_LISTEN:
        right = number("listen", text, 0, LISTEN_MAX / 1000.0, 1000, &value);
        options->listen_ms = (uint32_t)value;
        break;
    case OPT_NO_CLOCK:
        options->clock = false;
        break;
    case OPT_COUNT:
        right = number("count", text, 1, COUNT_MAX, 1, &options->count);
        break;
    case OPT_ZEP:
        right = ether(options, text);
        break;
    case OPT_MESH:
        options->mesh = true;
        break;
    case OPT_EUI64:
        right = eui64(options, text);
        break;
    default:
        fprintf(stderr, "Try vigil-mote --help\n"); /* getopt has named the option */
        right = false;
        break;
    }
    return right;
}

/* coap://HOST[:PORT][/], HOST an IPv6 address in brackets, an IPv4 address or a name. */
static bool split_mirror(struct options *options)
{
    static const char SCHEME[] = "coap://";
    const char *host = options->mirror + strlen(SCHEME);
    const char *end;
    const char *rest;
    size_t len;

    if (strncmp(options->mirror, SCHEME, strlen(SCHEME)) != 0)
        return complain("mirror", options->mirror, "give coap://[ADDRESS]:PORT");
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
        return complain("mirror", options->mirror, "give coap://[ADDRESS]:PORT");
    memcpy(options->mirror_host, host, len);
    options->mirror_host[len] = '\0';
    snprintf(options->mirror_port, sizeof options->mirror_port, "5683");
    if (*rest == ':') {
        len = strspn(rest + 1, "0123456789");
        if (len == 0 || len > 5)
            return complain("mirror", options->mirror, "give the port as a number");
        memcpy(options->mirror_port, rest + 1, len);
        options->mirror_port[len] = '\0';
        rest += 1 + len;
    }
    if (*rest != '\0' && strcmp(rest, "/") != 0)
        return complain("mirror", options->mirror, "give no path: the mirror says where it is");
    return true;
}

/* A link-local address without a zone, or one of the mesh's prefix, can only be meant on the air;
 * and what is on the air but not in the mesh is one hop away. */
static bool choose_link(struct options *options)
{
    static const uint8_t link_local[8] = {0xfe, 0x80};
    static const uint8_t mesh[8] = {0xfd}; /* MESH_CONTEXT's */
    bool literal = inet_pton(AF_INET6, options->mirror_host, options->mirror_address) == 1;
    bool near = literal && memcmp(options->mirror_address, link_local, sizeof link_local) == 0;

    options->mesh =
        options->mesh || (literal && memcmp(options->mirror_address, mesh, sizeof mesh) == 0);
    if (options->mesh && !literal)
        return complain("mirror", options->mirror,
                        "in the mesh give its IPv6 address, coap://[fd00::...]");
    if (options->serve && !options->mesh)
        return complain("serve", "", "only a mote of the mesh is always awake: give --mesh too");
    if (options->link_key != NULL && !options->mesh)
        return complain("link-key", "KEY", "only the mesh is secured: give --mesh too");
    if (options->radio && !near && !options->mesh)
        return complain("mirror", options->mirror,
                        "over the air give its link-local address, coap://[fe80::...], or its "
                        "address in the mesh, coap://[fd00::...]");
    if ((near || options->mesh) && !options->radio)
        return ether(options, "127.0.0.1:17754");
    return true;
}

enum options_result options_read(struct options *options, int argc, char **argv)
{
    int option;

    *options = (struct options){.mirror = "coap://[::1]:5683",
                                .wake_ms = 10 * 1000,
                                .lifetime = 24 * 3600,
                                .listen_ms = LISTEN_UNTOLD,
                                .form = APP_FORM_JWS,
                                .check_every = 1,
                                .link_level = 5,
                                .clock = true};
    while ((option = getopt_long(argc, argv, "", NAMES, NULL)) != -1) {
        if (option == OPT_HELP) {
            fputs(OPTIONS_HELP_TEXT, stdout);
            return OPTIONS_HELP;
        }
        if (!take(options, option, optarg))
            return OPTIONS_WRONG;
    }
    if (optind < argc) {
        fprintf(stderr, "vigil-mote: %s: not an option; try vigil-mote --help\n", argv[optind]);
        return OPTIONS_WRONG;
    }
    if (options->ep == NULL || strlen(options->ep) > APP_EP_MAX || !senml_name_valid(options->ep) ||
        strchr(options->ep, '/') != NULL) {
        fprintf(stderr,
                "vigil-mote: --ep %s: give a name of up to %d letters, digits and - : . _, "
                "beginning with a letter or digit\n",
                options->ep == NULL ? "is missing" : options->ep, APP_EP_MAX);
        return OPTIONS_WRONG;
    }
    if (options->domain != NULL && strlen(options->domain) > APP_EP_MAX) {
        complain("domain", options->domain, "at most 63 letters");
        return OPTIONS_WRONG;
    }
    if (!split_mirror(options) || !choose_link(options))
        return OPTIONS_WRONG;
    if (options->actuator_count > 0 && options->commander_count == 0) {
        complain("actuator", options->actuators[0], "give --commander FILE too: whom it obeys");
        return OPTIONS_WRONG;
    }
    if (options->listen_ms == LISTEN_UNTOLD)
        options->listen_ms = options->mesh ? LISTEN_MESH : LISTEN_NEAR;
    return OPTIONS_RUN;
}
