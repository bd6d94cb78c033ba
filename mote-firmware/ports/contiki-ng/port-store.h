/* The block store of the application (docs/protocol.md section 12) on Coffee; built with STORE. */
#ifndef MOTE_PORTS_CONTIKI_NG_PORT_STORE_H
#define MOTE_PORTS_CONTIKI_NG_PORT_STORE_H

#include "contiki-port.h"
#include "mote/app.h"
#include "mote/counter_store.h"
#include "net/ipv6/uip.h"

#ifdef MOTE_CONF_STORE
enum { PORT_STORE_ASSOCIATIONS = 2 }; /* at most; two while the key is changed */

/* Writes the names of the counters of the store's associations. Returns their number. */
size_t port_store_names(const struct sha256 *hash,
                        uint8_t names[PORT_STORE_ASSOCIATIONS][COUNTER_NAME]);

/* Opens the store and makes `config` keep its readings there. 0, or an error that is printed. */
int port_store_open(struct app_config *config);

/* Takes a datagram from any node. True if it was a request; it is answered by port_store_run. */
bool port_store_receive(const uip_ipaddr_t *from, uint16_t from_port, const uint8_t *data,
                        uint16_t len);

/* Returns the length of the answer to the received request, and sets `answer` and the requester; 0:
 * there is none. */
uint16_t port_store_answer(const uint8_t **answer, uip_ipaddr_t *to, uint16_t *to_port);

/* Stores what the mirror has not acknowledged, if the endpoint sleeps, and sends the next block
 * that a peer asked for. Returns the time of the next call, UINT64_MAX for none. */
uint64_t port_store_run(bool asleep, uint64_t now);

/* The mirror has acknowledged a reading. */
void port_store_acknowledged(void);
#else
enum { PORT_STORE_ASSOCIATIONS = 0 };

static inline size_t port_store_names(const struct sha256 *hash, uint8_t (*names)[COUNTER_NAME])
{
    (void)hash;
    (void)names;
    return 0;
}

static inline int port_store_open(struct app_config *config)
{
    (void)config;
    return 0;
}

static inline bool port_store_receive(const uip_ipaddr_t *from, uint16_t from_port,
                                      const uint8_t *data, uint16_t len)
{
    (void)from;
    (void)from_port;
    (void)data;
    (void)len;
    return false;
}

static inline uint16_t port_store_answer(const uint8_t **answer, uip_ipaddr_t *to,
                                         uint16_t *to_port)
{
    (void)answer;
    (void)to;
    (void)to_port;
    return 0;
}

static inline uint64_t port_store_run(bool asleep, uint64_t now)
{
    (void)asleep;
    (void)now;
    return UINT64_MAX;
}

static inline void port_store_acknowledged(void)
{
}
#endif

#endif
