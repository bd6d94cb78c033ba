/* The command line of vigil-mote. */
#ifndef MOTE_APPS_OPTIONS_H
#define MOTE_APPS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mote/app.h"
#include "store_name.h"

enum {
    OPTIONS_SENSORS_MAX = 8,
    OPTIONS_ACTUATORS_MAX = 4,
    OPTIONS_COMMANDERS_MAX = 4,
    OPTIONS_STORES_MAX = 4,
    OPTIONS_HOST_MAX = 256
};

extern const char OPTIONS_HELP_TEXT[];

/* A block store (docs/protocol.md section 12). While options are read, members that were not given
 * are zero; then they are those of `store_defaults`. */
struct option_store {
    char name[STORE_NAME_MAX + 1]; /* empty: the unnamed one */
    const char *file;
    char mode;         /* a, b or d */
    char full;         /* o: a full block store overwrites its oldest segment, r: it refuses */
    uint32_t segments; /* its size */
};

struct options {
    const char *ep;
    const char *domain;
    const char *mirror;
    const char *mirror_jkt; /* NULL: pinned on first use */
    const char *state;      /* NULL: EP.state in the current folder */
    uint64_t wake_ms;
    uint32_t lifetime;
    uint32_t listen_ms;
    uint64_t count; /* of wake-ups; 0: no limit */
    enum app_form form;
    bool encrypt;
    bool cbor;
    bool no_clock;
    const char *sensors[OPTIONS_SENSORS_MAX];
    size_t sensor_count; /* 0: every kind that this machine has */
    const char *actuators[OPTIONS_ACTUATORS_MAX];
    size_t actuator_count;
    const char *commanders[OPTIONS_COMMANDERS_MAX]; /* files of JWKs */
    size_t commander_count;
    uint32_t check_every;
    const char *psk;      /* the file of the pre-shared key; NULL: no DTLS */
    bool coaps;           /* the mirror is asked over DTLS */
    const char *link_key; /* digits or a file; NULL: frames are not secured */
    uint8_t link_level;
    char mirror_host[OPTIONS_HOST_MAX];
    char mirror_port[8];
    bool radio;     /* over the virtual 802.15.4 radio, else UDP sockets */
    const char *sa; /* a file of associations; NULL: none */
    bool new_sa;    /* its associations without a counter record were never used */
    struct option_store stores[OPTIONS_STORES_MAX];
    size_t store_count;
    struct option_store store_defaults;
    const char *keeps[OPTIONS_SENSORS_MAX + OPTIONS_ACTUATORS_MAX]; /* SENSOR=NAME */
    size_t keep_count;
    bool nhc;                   /* compress AH and ESP towards every neighbour */
    uint8_t sn_octets;          /* of their sequence numbers; 0: whole numbers */
    bool echo;                  /* a UDP echo server, in the mesh */
    bool serve;                 /* answer requests for the sensors, in the mesh */
    bool mesh;                  /* as a mesh router, else one hop */
    uint8_t mirror_address[16]; /* with `radio` */
    char ether_host[OPTIONS_HOST_MAX];
    char ether_port[8];
    bool eui64_given;
    uint8_t eui64[8]; /* derived from the name if not given */
};

enum options_result { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_WRONG };

/* Reads the command line. OPTIONS_WRONG: stderr says which option is wrong and what to give
 * instead. */
enum options_result options_read(struct options *options, int argc, char **argv);

#endif
