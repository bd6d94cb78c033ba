/*
 * The declarations of Contiki-NG that the port needs, so that it compiles without a
 * checkout (tests/contiki_port.sh). Only names, types and the order of members that the port relies
 * on are the real ones; tests/contiki.sh builds the port with Contiki-NG itself.
 */
#ifndef TESTS_CONTIKI_NG_DECLARATIONS_H
#define TESTS_CONTIKI_NG_DECLARATIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/select.h>

#include "project-conf.h"

/* ---- processes, clock and timers ---- */

typedef unsigned long clock_time_t;
#define CLOCK_SECOND 128

clock_time_t clock_time(void);

typedef unsigned char process_event_t;
typedef void *process_data_t;
struct process {
    const char *name;
    char (*thread)(struct process *, process_event_t, process_data_t);
};
#define PROCESS(name, text)                                                                        \
    static char process_thread_##name(struct process *, process_event_t, process_data_t);          \
    static struct process name = {text, process_thread_##name}
#define AUTOSTART_PROCESSES(first) struct process *const autostart_processes[] = {first, NULL}
#define PROCESS_THREAD(name, event, data)                                                          \
    static char process_thread_##name(struct process *self, process_event_t event,                 \
                                      process_data_t data)
#define PROCESS_BEGIN()                                                                            \
    (void)self;                                                                                    \
    process_parameters(&process_parameters)
#define PROCESS_END() return 0
#define PROCESS_EXIT() return 0
#define PROCESS_WAIT_EVENT() process_wait(true)
#define PROCESS_WAIT_EVENT_UNTIL(condition) process_wait(condition)
#define PROCESS_YIELD_UNTIL(condition) process_wait(condition)
#define PROCESS_EVENT_POLL ((process_event_t)0x82)

extern struct process *const autostart_processes[];
void process_parameters(const void *unused);
void process_wait(bool until);
void process_poll(struct process *process);
void process_start(struct process *process, process_data_t data);

struct etimer {
    clock_time_t start;
};
void etimer_set(struct etimer *timer, clock_time_t interval);
bool etimer_expired(struct etimer *timer);
bool etimer_pending(void);
clock_time_t etimer_next_expiration_time(void);

struct ctimer {
    clock_time_t start;
};
void ctimer_set(struct ctimer *timer, clock_time_t interval, void (*expired)(void *),
                void *context);

/* ---- the native platform ---- */

#define CONTIKI_VERBOSE_PRIO 0
#define CONTIKI_JOIN(a, b) a##b
#define CONTIKI_OPTION_NAME(line) CONTIKI_JOIN(option_, line)
#define CONTIKI_OPTION(priority, ...) CONTIKI_OPTION_AT(__LINE__, priority, __VA_ARGS__)
#define CONTIKI_OPTION_AT(line, priority, ...)                                                     \
    extern const struct contiki_option CONTIKI_OPTION_NAME(line);                                  \
    const struct contiki_option CONTIKI_OPTION_NAME(line) = {priority, __VA_ARGS__};

struct contiki_option {
    int priority;
    struct option option;
    int (*take)(const char *value);
    const char *help;
};

struct select_callback {
    int (*set_fd)(fd_set *readable, fd_set *writable);
    void (*handle_fd)(fd_set *readable, fd_set *writable);
};
int select_set_callback(int fd, const struct select_callback *callback);

/* ---- files ---- */

typedef int cfs_offset_t;
enum { CFS_READ = 1, CFS_WRITE = 2, CFS_APPEND = 4 };
enum { CFS_SEEK_SET, CFS_SEEK_CUR, CFS_SEEK_END };
enum { CFS_COFFEE_IO_FLASH_AWARE = 1, CFS_COFFEE_IO_FIRM_SIZE = 2 };
#define COFFEE_DYN_SIZE 2048
#define COFFEE_SECTOR_SIZE 2048

int cfs_open(const char *name, int flags);
void cfs_close(int file);
int cfs_read(int file, void *out, unsigned len);
int cfs_write(int file, const void *data, unsigned len);
cfs_offset_t cfs_seek(int file, cfs_offset_t offset, int from);
int cfs_remove(const char *name);
int cfs_coffee_reserve(const char *name, cfs_offset_t size);
int cfs_coffee_set_io_semantics(int file, unsigned flags);

/* ---- cryptography ---- */

struct aes_128_driver {
    void (*set_key)(const uint8_t *key);
    void (*encrypt)(uint8_t *block);
};
struct sha_256_driver {
    void (*init)(void);
    void (*update)(const uint8_t *data, size_t len);
    void (*finalize)(uint8_t *digest);
};
struct csprng_seed {
    uint8_t u8[32];
};
extern const struct aes_128_driver AES_128;
extern const struct sha_256_driver SHA_256;
void csprng_feed(const struct csprng_seed *seed);
bool csprng_rand(uint8_t *out, unsigned len);

/* ---- devices ---- */

enum { LEDS_LED1 = 0 };
#define LEDS_NUM_TO_MASK(number) (1 << (number))
void leds_on(int mask);
void leds_off(int mask);

struct sensors_sensor {
    int (*value)(int type);
};
extern const struct sensors_sensor cc2538_temp_sensor;
enum { CC2538_SENSORS_VALUE_TYPE_CONVERTED = 1 };
void sensors_activate(const struct sensors_sensor *sensor);
#define SENSORS_ACTIVATE(sensor) sensors_activate(&(sensor))

typedef int radio_value_t;
typedef unsigned radio_param_t;
typedef enum {
    RADIO_RESULT_OK,
    RADIO_RESULT_NOT_SUPPORTED,
    RADIO_RESULT_INVALID_VALUE
} radio_result_t;
enum { RADIO_TX_OK, RADIO_TX_ERR };
enum { RADIO_POWER_MODE_OFF, RADIO_POWER_MODE_ON };
enum {
    RADIO_PARAM_POWER_MODE,
    RADIO_PARAM_CHANNEL,
    RADIO_PARAM_PAN_ID,
    RADIO_PARAM_RX_MODE,
    RADIO_CONST_CHANNEL_MIN,
    RADIO_CONST_CHANNEL_MAX,
    RADIO_CONST_MAX_PAYLOAD_LEN
};
enum { RADIO_RX_MODE_ADDRESS_FILTER = 1, RADIO_RX_MODE_AUTOACK = 2 };
struct radio_driver {
    int (*init)(void);
    int (*prepare)(const void *payload, unsigned short len);
    int (*transmit)(unsigned short len);
    int (*send)(const void *payload, unsigned short len);
    int (*read)(void *out, unsigned short size);
    int (*channel_clear)(void);
    int (*receiving_packet)(void);
    int (*pending_packet)(void);
    int (*on)(void);
    int (*off)(void);
    radio_result_t (*get_value)(radio_param_t parameter, radio_value_t *value);
    radio_result_t (*set_value)(radio_param_t parameter, radio_value_t value);
    radio_result_t (*get_object)(radio_param_t parameter, void *out, size_t size);
    radio_result_t (*set_object)(radio_param_t parameter, const void *value, size_t size);
};

/* ---- the link ---- */

#define IEEE802154_PANID 0xabcd
#define IEEE802154_DEFAULT_CHANNEL 26
#define LINKADDR_SIZE 8
typedef struct {
    uint8_t u8[LINKADDR_SIZE];
} linkaddr_t;
extern const linkaddr_t linkaddr_null;
extern linkaddr_t linkaddr_node_addr;
int linkaddr_cmp(const linkaddr_t *a, const linkaddr_t *b);
void linkaddr_set_node_addr(const linkaddr_t *address);

#ifdef LLSEC802154_CONF_ENABLED
#define LLSEC802154_ENABLED LLSEC802154_CONF_ENABLED
#else
#define LLSEC802154_ENABLED 0
#endif
#define LLSEC802154_USES_AUX_HEADER LLSEC802154_ENABLED
#define LLSEC802154_USES_EXPLICIT_KEYS LLSEC802154_ENABLED
#define LLSEC802154_HTONL(number) (number)
typedef union {
    uint32_t u32;
    uint16_t u16[2];
} frame802154_frame_counter_t;
uint32_t anti_replay_get_counter(void);
int csma_security_set_key(uint8_t index, const uint8_t *key);

#define PACKETBUF_SIZE 128
enum {
    PACKETBUF_ADDR_SENDER,
    PACKETBUF_ADDR_RECEIVER,
    PACKETBUF_ATTR_RSSI,
    PACKETBUF_ATTR_LINK_QUALITY,
    PACKETBUF_ATTR_MAX_MAC_TRANSMISSIONS,
    PACKETBUF_ATTR_SECURITY_LEVEL,
    PACKETBUF_ATTR_KEY_INDEX,
    PACKETBUF_ATTR_FRAME_COUNTER_BYTES_0_1,
    PACKETBUF_ATTR_FRAME_COUNTER_BYTES_2_3
};
typedef uint16_t packetbuf_attr_t;
void packetbuf_clear(void);
void *packetbuf_dataptr(void);
uint16_t packetbuf_datalen(void);
void packetbuf_set_datalen(uint16_t len);
const linkaddr_t *packetbuf_addr(uint8_t type);
int packetbuf_set_addr(uint8_t type, const linkaddr_t *address);
packetbuf_attr_t packetbuf_attr(uint8_t type);
int packetbuf_set_attr(uint8_t type, packetbuf_attr_t value);
int queuebuf_numfree(void);

typedef void (*mac_callback_t)(void *context, int status, int transmissions);
struct mac_driver {
    const char *name;
    void (*init)(void);
    void (*send)(mac_callback_t sent, void *context);
    void (*input)(void);
    int (*on)(void);
    int (*off)(void);
    int (*max_payload)(void);
};
extern const struct mac_driver csma_driver;
#define NETSTACK_MAC csma_driver

void link_stats_packet_sent(const linkaddr_t *to, int status, int transmissions);
void link_stats_input_callback(const linkaddr_t *from);

/* ---- IPv6 ---- */

#define UIP_BUFSIZE 1280
#define UIP_IPH_LEN 40
typedef union {
    uint8_t u8[16];
} uip_ipaddr_t;
struct uip_ip_hdr {
    uint8_t before[8];
    uip_ipaddr_t srcipaddr;
    uip_ipaddr_t destipaddr;
};
extern uint8_t *uip_buf;
extern uint16_t uip_len;
#define UIP_IP_BUF ((struct uip_ip_hdr *)(void *)uip_buf)
bool uip_ipaddr_cmp(const uip_ipaddr_t *a, const uip_ipaddr_t *b);
void uip_ip6addr_copy(uip_ipaddr_t *to, const uip_ipaddr_t *from);
bool uip_is_addr_linklocal(const uip_ipaddr_t *address);
void tcpip_input(void);
void tcpip_ipv6_output(void);

#define UIP_DS6_DEFAULT_PREFIX 0xfd00
enum { ADDR_PREFERRED = 1 };
typedef struct {
    uip_ipaddr_t ipaddr;
} uip_ds6_addr_t;
typedef struct {
    uip_ipaddr_t ipaddr;
} uip_ds6_defrt_t;
const uip_ipaddr_t *uip_ds6_default_prefix(void);
uip_ds6_addr_t *uip_ds6_get_global(int8_t state);
bool uip_ds6_is_my_addr(const uip_ipaddr_t *address);
uip_ds6_defrt_t *uip_ds6_defrt_lookup(const uip_ipaddr_t *address);
void uip_ds6_defrt_rm(uip_ds6_defrt_t *route);
void uip_ds6_link_callback(int status, int transmissions);

enum {
    UIPBUF_ATTR_RSSI,
    UIPBUF_ATTR_LINK_QUALITY,
    UIPBUF_ATTR_LLSEC_LEVEL,
    UIPBUF_ATTR_LLSEC_KEY_ID,
    UIPBUF_ATTR_MAX_MAC_TRANSMISSIONS
};
enum { UIPBUF_ATTR_LLSEC_LEVEL_MAC_DEFAULT = 0xffff };
void uipbuf_clear(void);
uint16_t uipbuf_get_attr(uint8_t type);
int uipbuf_set_attr(uint8_t type, uint16_t value);

#define UIPLIB_IPV6_MAX_STR_LEN 40
int uiplib_ipaddrconv(const char *text, uip_ipaddr_t *address);
int uiplib_ipaddr_snprint(char *out, size_t size, const uip_ipaddr_t *address);

struct simple_udp_connection {
    uint16_t port;
};
typedef void (*simple_udp_callback)(struct simple_udp_connection *udp, const uip_ipaddr_t *from,
                                    uint16_t from_port, const uip_ipaddr_t *to, uint16_t to_port,
                                    const uint8_t *data, uint16_t len);
int simple_udp_register(struct simple_udp_connection *udp, uint16_t local, uip_ipaddr_t *to,
                        uint16_t remote, simple_udp_callback received);
int simple_udp_sendto(struct simple_udp_connection *udp, const void *data, uint16_t len,
                      const uip_ipaddr_t *to);
int simple_udp_sendto_port(struct simple_udp_connection *udp, const void *data, uint16_t len,
                           const uip_ipaddr_t *to, uint16_t port);

struct network_driver {
    const char *name;
    void (*init)(void);
    void (*input)(void);
    uint8_t (*output)(const linkaddr_t *to);
};
extern const struct network_driver sicslowpan_driver;

struct routing_driver {
    bool (*node_is_reachable)(void);
    void (*link_callback)(const linkaddr_t *to, int status, int transmissions);
};
extern const struct routing_driver NETSTACK_ROUTING;

enum netstack_ip_action { NETSTACK_IP_PROCESS, NETSTACK_IP_DROP };
struct netstack_ip_packet_processor {
    struct netstack_ip_packet_processor *next;
    enum netstack_ip_action (*process_input)(void);
    enum netstack_ip_action (*process_output)(const linkaddr_t *to);
};
void netstack_ip_packet_processor_add(struct netstack_ip_packet_processor *processor);

#endif
