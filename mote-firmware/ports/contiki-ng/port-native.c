/* Native nodes: command line, kernel timers, the load sensor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "../posix/port.h"
#include "contiki-port.h"
#include "mote/ieee802154.h"
#include "mote/jose.h"
#include "net/ipv6/uip-ds6.h"
#include "sys/platform.h"

static struct {
    struct native_options options;
    struct host_sensor load;
    int timer;
} native = {.options = {.ep = "contiki-ng",
                        .mirror = MOTE_CONF_MIRROR,
                        .wake_ms = MOTE_CONF_WAKE * 1000,
                        .zep_host = "127.0.0.1",
                        .zep_port = "17754"}};

/* ---- the command line ---- */

enum { OPTION_PRIORITY = CONTIKI_VERBOSE_PRIO + 10, EXIT_USAGE = 2 };

static int reject(const char *option, const char *value, const char *wanted)
{
    fprintf(stderr, "--%s %s: %s\n", option, value, wanted);
    return EXIT_USAGE;
}

static int ep_option(const char *value)
{
    native.options.ep = value;
    return 0;
}
CONTIKI_OPTION(OPTION_PRIORITY, {"ep", required_argument, NULL, 0}, ep_option,
               "the endpoint's name (default: contiki-ng)\n")

static int mirror_option(const char *value)
{
    native.options.mirror = value;
    return 0;
}
CONTIKI_OPTION(OPTION_PRIORITY + 1, {"mirror", required_argument, NULL, 0}, mirror_option,
               "IPv6 address of the mirror (default: " MOTE_CONF_MIRROR ")\n")

static int state_option(const char *value)
{
    native.options.state = value;
    return 0;
}
CONTIKI_OPTION(OPTION_PRIORITY + 2, {"state", required_argument, NULL, 0}, state_option,
               "key and counters are kept in files of this name (default: the endpoint's)\n")

static int wake_option(const char *value)
{
    char *end;
    double seconds = strtod(value, &end);

    if (end == value || *end != '\0' || !(seconds >= 0.01 && seconds <= 7 * 24 * 3600))
        return reject("wake", value, "give a number of seconds from 0.01 to 604800");
    native.options.wake_ms = (uint32_t)(seconds * 1000);
    return 0;
}
CONTIKI_OPTION(OPTION_PRIORITY + 3, {"wake", required_argument, NULL, 0}, wake_option,
               "seconds between wake-ups, fractions allowed\n")

static int zep_option(const char *value)
{
    const char *colon = strrchr(value, ':');
    size_t host = colon == NULL ? 0 : (size_t)(colon - value);
    bool brackets = host > 2 && value[0] == '[' && value[host - 1] == ']';

    if (host == 0 || host >= sizeof native.options.zep_host ||
        strlen(colon + 1) >= sizeof native.options.zep_port)
        return reject("zep", value, "give HOST:PORT of the ether, as the gateway names it");
    snprintf(native.options.zep_host, sizeof native.options.zep_host, "%.*s",
             (int)(brackets ? host - 2 : host), brackets ? value + 1 : value);
    snprintf(native.options.zep_port, sizeof native.options.zep_port, "%s", colon + 1);
    return 0;
}
CONTIKI_OPTION(OPTION_PRIORITY + 4, {"zep", required_argument, NULL, 0}, zep_option,
               "HOST:PORT of the virtual air (default: 127.0.0.1:17754)\n")

static int eui64_option(const char *value)
{
    uint8_t *eui64 = native.options.eui64;

    if (strlen(value) != 2 * EUI64_SIZE ||
        strspn(value, "0123456789abcdefABCDEF") != 2 * EUI64_SIZE)
        return reject("eui64", value, "give 16 hexadecimal digits");
    for (size_t i = 0; i < EUI64_SIZE; i++) {
        const char digits[] = {value[2 * i], value[2 * i + 1], '\0'};

        eui64[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    native.options.eui64_given = true;
    return 0;
}
CONTIKI_OPTION(OPTION_PRIORITY + 5, {"eui64", required_argument, NULL, 0}, eui64_option,
               "the radio's address (default: derived from the endpoint's name)\n")

static int encrypt_option(const char *value)
{
    (void)value;
    native.options.encrypt = true;
    return 0;
}
CONTIKI_OPTION(OPTION_PRIORITY + 6, {"encrypt", no_argument, NULL, 0}, encrypt_option,
               "agree on a key with the mirror and encrypt updates\n")

static int commander_option(const char *value)
{
    uint8_t text[1024];
    FILE *file = fopen(value, "r");
    size_t len = file != NULL ? fread(text, 1, sizeof text, file) : 0;

    if (file != NULL)
        fclose(file);
    if (len == sizeof text || jwk_read(text, len, native.options.commander) != MOTE_OK)
        return reject("commander", value, "give a file that holds a P-256 key as JWK");
    native.options.commander_given = true;
    return 0;
}
CONTIKI_OPTION(OPTION_PRIORITY + 7, {"commander", required_argument, NULL, 0}, commander_option,
               "fetch commands; only those signed with this key are carried out\n")

static int new_sa_option(const char *value)
{
    (void)value;
    native.options.new_sa = true;
    return 0;
}
CONTIKI_OPTION(OPTION_PRIORITY + 8, {"new-sa", no_argument, NULL, 0}, new_sa_option,
               "create missing counter records: those associations are unused\n")

const struct native_options *native_options(void)
{
    if (native.options.state == NULL)
        native.options.state = native.options.ep;
    return &native.options;
}

/* Derives a locally administered unicast EUI-64 from the name. */
void native_eui64(uint8_t eui64[8])
{
    static const char purpose[] = "vigil-mote eui64 ";
    const struct native_options *options = native_options();
    const struct piece pieces[] = {{(const uint8_t *)purpose, sizeof purpose - 1},
                                   {(const uint8_t *)options->ep, strlen(options->ep)}};
    const struct sha256 hash = port_sha256();
    uint8_t digest[SHA256_SIZE];

    sha256_pieces(&hash, pieces, 2, digest);
    digest[0] = (uint8_t)((digest[0] | 2) & ~1);
    memcpy(eui64, options->eui64_given ? options->eui64 : digest, EUI64_SIZE);
}

/* ---- the machine ---- */

bool native_sensor(struct sensor *sensor)
{
    return load_sensor(sensor, &native.load, "");
}

/* Contiki-NG's loop sleeps a second unless a file descriptor is readable: a timerfd wakes it for
 * the next timer. */
static int arm(fd_set *readable, fd_set *writable)
{
    struct itimerspec at = {{0, 0}, {0, 0}};
    clock_time_t left;

    (void)writable;
    if (!etimer_pending())
        return 0;
    left = etimer_next_expiration_time() - clock_time();
    if ((long)left <= 0)
        at.it_value.tv_nsec = 1;
    else
        at.it_value = (struct timespec){(time_t)(left / CLOCK_SECOND),
                                        (long)(left % CLOCK_SECOND) * (1000000000 / CLOCK_SECOND)};
    if (timerfd_settime(native.timer, 0, &at, NULL) != 0)
        return 0;
    FD_SET(native.timer, readable);
    return 1;
}

static void expired(fd_set *readable, fd_set *writable)
{
    uint64_t times;

    (void)writable;
    if (FD_ISSET(native.timer, readable) &&
        read(native.timer, &times, sizeof times) != sizeof times)
        return; /* the timer was set again meanwhile */
}

static const struct select_callback timer = {arm, expired};

/* Removes the native platform's default route, to a host at PREFIX::1 behind its TUN device. */
static void remove_tun_route(void)
{
    uip_ipaddr_t host;
    uip_ds6_defrt_t *route;

    uip_ip6addr_copy(&host, uip_ds6_default_prefix());
    host.u8[15] = 1;
    route = uip_ds6_defrt_lookup(&host);
    if (route != NULL)
        uip_ds6_defrt_rm(route);
}

void native_start(void)
{
    remove_tun_route();
    native.timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (native.timer < 0 || !select_set_callback(native.timer, &timer)) {
        fprintf(stderr, "cannot create a timerfd\n");
        exit(3);
    }
}
