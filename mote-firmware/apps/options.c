#include <arpa/inet.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block_file.h"
#include "option_values.h"
#include "options.h"
#include "store_options.h"

enum {
    WAKE_MAX = 7 * 24 * 3600, /* seconds */
    LIFETIME_MIN = 60,        /* RFC 9176, 5.3: seconds */
    LISTEN_MAX = 60 * 1000,
    LISTEN_NEAR = 500,
    LISTEN_MESH = 2000, /* answers come over several hops, and the radio is on anyway */
    COUNT_MAX = 1000 * 1000 * 1000,
    STORE_DEFAULT = 1 << 20
};

#define LISTEN_DEFAULT UINT32_MAX

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
    OPT_SA,
    OPT_NEW_SA,
    OPT_STORE,
    OPT_STORE_MODE,
    OPT_STORE_SIZE,
    OPT_STORE_FULL,
    OPT_KEEP,
    OPT_ECHO,
    OPT_NHC,
    OPT_SN_OCTETS,
    OPT_PSK,
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
                                      {"sa", required_argument, NULL, OPT_SA},
                                      {"new-sa", no_argument, NULL, OPT_NEW_SA},
                                      {"store", required_argument, NULL, OPT_STORE},
                                      {"store-mode", required_argument, NULL, OPT_STORE_MODE},
                                      {"store-size", required_argument, NULL, OPT_STORE_SIZE},
                                      {"store-full", required_argument, NULL, OPT_STORE_FULL},
                                      {"keep", required_argument, NULL, OPT_KEEP},
                                      {"echo", no_argument, NULL, OPT_ECHO},
                                      {"nhc", no_argument, NULL, OPT_NHC},
                                      {"sn-octets", required_argument, NULL, OPT_SN_OCTETS},
                                      {"psk", required_argument, NULL, OPT_PSK},
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

/* Options whose value is stored unchanged; NULL for other options. */
static const char **text_field(struct options *options, int option)
{
    switch (option) {
    case OPT_EP:
        return &options->ep;
    case OPT_DOMAIN:
        return &options->domain;
    case OPT_MIRROR:
        return &options->mirror;
    case OPT_STATE:
        return &options->state;
    case OPT_PSK:
        return &options->psk;
    case OPT_LINK_KEY:
        return &options->link_key;
    case OPT_SA:
        return &options->sa;
    default:
        return NULL;
    }
}

/* Options without a value; NULL for other options. */
static bool *flag_field(struct options *options, int option)
{
    switch (option) {
    case OPT_SERVE:
        return &options->serve;
    case OPT_NEW_SA:
        return &options->new_sa;
    case OPT_ECHO:
        return &options->echo;
    case OPT_NHC:
        return &options->nhc;
    case OPT_ENCRYPT:
        return &options->encrypt;
    case OPT_MESH:
        return &options->mesh;
    case OPT_NO_CLOCK:
        return &options->no_clock;
    default:
        return NULL;
    }
}

static bool store_value(struct options *options, int option, const char *text)
{
    uint64_t value = 0;
    bool chosen = false;
    bool valid = false;

    switch (option) {
    case OPT_MIRROR_KEY:
        options->mirror_jkt = text;
        return strlen(text) == JOSE_JKT_LEN ||
               option_reject("mirror-key", text, "give the 43 characters of a key's thumbprint");
    case OPT_WAKE:
        return option_number("wake", text, 0.01, WAKE_MAX, 1000, &options->wake_ms);
    case OPT_LIFETIME:
        valid = option_number("lifetime", text, LIFETIME_MIN, UINT32_MAX, 1, &value);
        options->lifetime = (uint32_t)value;
        return valid;
    case OPT_SENSOR:
        return option_append("sensor", text, options->sensors, &options->sensor_count,
                             OPTIONS_SENSORS_MAX);
    case OPT_ACTUATOR:
        return option_append("actuator", text, options->actuators, &options->actuator_count,
                             OPTIONS_ACTUATORS_MAX);
    case OPT_COMMANDER:
        return option_append("commander", text, options->commanders, &options->commander_count,
                             OPTIONS_COMMANDERS_MAX);
    case OPT_CHECK:
        valid = option_number("check", text, 1, COUNT_MAX, 1, &value);
        options->check_every = (uint32_t)value;
        return valid;
    case OPT_STORE:
        return option_store(options, text);
    case OPT_STORE_MODE:
        return option_store_mode(options, text);
    case OPT_STORE_SIZE:
        return option_store_size(options, text);
    case OPT_STORE_FULL:
        return option_store_full(options, text);
    case OPT_KEEP:
        return option_append("keep", text, options->keeps, &options->keep_count,
                             sizeof options->keeps / sizeof options->keeps[0]);
    case OPT_SN_OCTETS:
        return option_sn_octets(options, text);
    case OPT_LINK_LEVEL:
        return option_link_level(options, text);
    case OPT_FORM:
        valid = option_choice("form", text, "jws", "compact", &chosen);
        options->form = chosen ? APP_FORM_COMPACT : APP_FORM_JWS;
        return valid;
    case OPT_PAYLOAD:
        return option_choice("payload", text, "json", "cbor", &options->cbor);
    case OPT_LISTEN:
        valid = option_number("listen", text, 0, LISTEN_MAX / 1000.0, 1000, &value);
        options->listen_ms = (uint32_t)value;
        return valid;
    case OPT_COUNT:
        return option_number("count", text, 1, COUNT_MAX, 1, &options->count);
    case OPT_ZEP:
        return option_zep(options, text);
    case OPT_EUI64:
        return option_eui64(options, text);
    default:
        fprintf(stderr, "Try vigil-mote --help\n"); /* getopt has named the option */
        return false;
    }
}

static bool store_option(struct options *options, int option, const char *text)
{
    const char **field = text_field(options, option);
    bool *flag = flag_field(options, option);

    if (field == NULL && flag == NULL)
        return store_value(options, option, text);
    if (field != NULL)
        *field = text;
    else
        *flag = true;
    return true;
}

/* Derives the link from the mirror's address. A link-local address without a zone is one hop away
 * on the radio, an address under the mesh prefix is reached through the mesh, and any other over
 * UDP sockets. */
static bool choose_link(struct options *options)
{
    static const uint8_t link_local[8] = {0xfe, 0x80};
    static const uint8_t mesh[8] = {0xfd}; /* fd00::/64, as MESH_CONTEXT */
    bool literal = inet_pton(AF_INET6, options->mirror_host, options->mirror_address) == 1;
    bool near = literal && memcmp(options->mirror_address, link_local, sizeof link_local) == 0;

    options->mesh =
        options->mesh || (literal && memcmp(options->mirror_address, mesh, sizeof mesh) == 0);
    if (options->mesh && !literal)
        return option_reject("mirror", options->mirror,
                             "with --mesh give its IPv6 address, coap://[fd00::...]");
    if (options->serve && !options->mesh)
        return option_reject("serve", "", "only a mesh router is always awake: give --mesh too");
    if (options->nhc && !options->mesh)
        return option_reject("nhc", "", "only mesh packets have AH and ESP: give --mesh too");
    if (options->echo && !options->mesh)
        return option_reject("echo", "", "only a mesh router is always awake: give --mesh too");
    if (options->store_count > 0 && !options->mesh)
        return option_reject("store", options->stores[0].file,
                             "stored blocks leave as ESP packets, which only a mesh mote sends: "
                             "give --mesh too");
    if (options->sa != NULL && !options->mesh)
        return option_reject("sa", options->sa,
                             "only a mesh mote has associations: give --mesh too");
    if (options->sn_octets > 0 && (!options->nhc || options->sa == NULL))
        return option_reject(
            "sn-octets", "",
            "only compressed AH and ESP elide numbers: give --sa FILE and --nhc too");
    if (options->new_sa && options->sa == NULL)
        return option_reject("new-sa", "", "give --sa FILE too");
    if (options->store_count > 0 && options->sa == NULL)
        return option_reject("store", options->stores[0].file,
                             "give --sa FILE too, with a line `store` for its key");
    if (options->link_key != NULL && !options->mesh)
        return option_reject("link-key", "KEY", "only mesh frames are secured: give --mesh too");
    if (options->psk != NULL && !options->coaps)
        return option_reject("psk", options->psk, "give --mirror coaps://[ADDRESS]:PORT too");
    if (options->coaps && options->psk == NULL)
        return option_reject("mirror", options->mirror,
                             "give --psk FILE too, with the line IDENTITY=KEY");
    if (options->radio && !near && !options->mesh)
        return option_reject("mirror", options->mirror,
                             "with --zep give its link-local address, coap://[fe80::...], or its "
                             "mesh address, coap://[fd00::...]");
    if ((near || options->mesh) && !options->radio)
        return option_zep(options, "127.0.0.1:17754");
    return true;
}

/* Checks the options against each other and derives the missing ones. */
static bool complete(struct options *options)
{
    if (options->ep == NULL || strlen(options->ep) > APP_EP_MAX || !senml_name_valid(options->ep) ||
        strchr(options->ep, '/') != NULL) {
        fprintf(stderr,
                "vigil-mote: --ep %s: give a name of up to %d letters, digits and - : . _, "
                "beginning with a letter or digit\n",
                options->ep == NULL ? "is missing" : options->ep, APP_EP_MAX);
        return false;
    }
    if (options->domain != NULL && strlen(options->domain) > APP_EP_MAX)
        return option_reject("domain", options->domain, "give at most 63 letters");
    if (!option_mirror(options) || !choose_link(options) || !option_stores_complete(options))
        return false;
    if (options->actuator_count > 0 && options->commander_count == 0)
        return option_reject("actuator", options->actuators[0],
                             "give --commander FILE too: the key whose commands are accepted");
    if (options->listen_ms == LISTEN_DEFAULT)
        options->listen_ms = options->mesh ? LISTEN_MESH : LISTEN_NEAR;
    return true;
}

enum options_result options_read(struct options *options, int argc, char **argv)
{
    int option;

    *options = (struct options){.mirror = "coap://[::1]:5683",
                                .wake_ms = 10 * 1000,
                                .lifetime = 24 * 3600,
                                .listen_ms = LISTEN_DEFAULT,
                                .form = APP_FORM_JWS,
                                .check_every = 1,
                                .link_level = 5,
                                .store_defaults = {.mode = 'b',
                                                   .full = 'o',
                                                   .segments = STORE_DEFAULT / BLOCK_FILE_SEGMENT}};
    while ((option = getopt_long(argc, argv, "", NAMES, NULL)) != -1) {
        if (option == OPT_HELP) {
            fputs(OPTIONS_HELP_TEXT, stdout);
            return OPTIONS_HELP;
        }
        if (!store_option(options, option, optarg))
            return OPTIONS_WRONG;
    }
    if (optind < argc) {
        fprintf(stderr, "vigil-mote: %s: not an option; try vigil-mote --help\n", argv[optind]);
        return OPTIONS_WRONG;
    }
    return complete(options) ? OPTIONS_RUN : OPTIONS_WRONG;
}
