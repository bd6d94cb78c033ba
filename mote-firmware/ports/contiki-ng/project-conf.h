/* What this port asks of Contiki-NG. Settings that differ between motes are make variables (see
 * the Makefile); keys are in the header that SECRETS names. */
#ifndef PROJECT_CONF_H_
#define PROJECT_CONF_H_

#ifdef MOTE_SECRETS
#include MOTE_SECRETS
#endif

/* ---- the application ---- */

/* The gateway as it calls itself unless it is told otherwise (its ready line). */
#ifndef MOTE_CONF_MIRROR
#define MOTE_CONF_MIRROR "fd00::56:4947:494c:1"
#endif
#ifndef MOTE_CONF_WAKE
#define MOTE_CONF_WAKE 60
#endif
/* A leaf forwards for nobody, so its radio may be off between wake-ups. */
#ifndef MOTE_CONF_LEAF
#define MOTE_CONF_LEAF 0
#endif

/* Whether the neighbours know the compressed AH and ESP, as ours do. */
#ifndef MOTE_CONF_NHC
#define MOTE_CONF_NHC 1
#endif
/* Protected datagrams being put together at a time, and how long each may be. */
#ifndef MOTE_CONF_REASSEMBLIES
#define MOTE_CONF_REASSEMBLIES 2
#endif
#ifndef MOTE_CONF_DATAGRAM
#if CONTIKI_TARGET_CC2538DK || CONTIKI_TARGET_ZOUL
#define MOTE_CONF_DATAGRAM 640
#else
#define MOTE_CONF_DATAGRAM 1280
#endif
#endif
/* Neighbours whose frame counters are remembered; more are not heard under link security. */
#ifndef MOTE_CONF_SENDERS
#define MOTE_CONF_SENDERS 16
#endif

/* ---- what Contiki-NG does ---- */

#define NETSTACK_CONF_NETWORK mote_lowpan_driver
#define RPL_CONF_DEFAULT_LEAF_ONLY MOTE_CONF_LEAF
#if MOTE_CONF_LEAF
#define NETSTACK_CONF_MAC mote_sleepy_mac_driver
#endif

#ifdef MOTE_LINK_KEY
#ifndef MOTE_LINK_LEVEL
#define MOTE_LINK_LEVEL 5
#endif
#if MOTE_LINK_LEVEL == 4 || MOTE_LINK_LEVEL < 1 || MOTE_LINK_LEVEL > 7
#error "MOTE_LINK_LEVEL: give 1, 2, 3, 5, 6 or 7; level 4 authenticates nothing"
#endif
#define LLSEC802154_CONF_ENABLED 1
#define LLSEC802154_REJECT_INSECURE 1
#define CSMA_CONF_LLSEC_DEFAULT_KEY0 MOTE_LINK_KEY
#define CSMA_CONF_LLSEC_SECURITY_LEVEL MOTE_LINK_LEVEL
#endif

/* Keys are made from it; Contiki-NG seeds it on native and cc2538, port-crypto.c in Cooja. */
#define CSPRNG_CONF_ENABLED 1

/* A registration takes seven frames, and each waits in a buffer. */
#ifndef QUEUEBUF_CONF_NUM
#define QUEUEBUF_CONF_NUM 16
#endif
#define CSMA_CONF_MAX_NEIGHBOR_QUEUES 4

#if CONTIKI_TARGET_NATIVE
#define NETSTACK_CONF_RADIO zep_radio_driver
/* The virtual air has no signal strength to guess a link's quality from. */
#define LINK_STATS_CONF_INIT_ETX_FROM_RSSI 0
/* A mesh of processes on one machine need not spare the air: it forms in seconds. */
#define RPL_CONF_DIS_INTERVAL (5 * CLOCK_SECOND)
#define RPL_CONF_DAO_DELAY CLOCK_SECOND
/* stdin is not ours: at its end Contiki-NG's loop would spin. */
#define SELECT_CONF_STDIN 0
#define SELECT_CONF_MAX 64
#endif

#if CONTIKI_TARGET_CC2538DK || CONTIKI_TARGET_ZOUL
/* A sector for each of four files, and as many to write new ones in. */
#define COFFEE_CONF_SIZE (8 * COFFEE_SECTOR_SIZE)
/* The deepest sleep keeps only half of the RAM. */
#define LPM_CONF_MAX_PM 1
#define NBR_TABLE_CONF_MAX_NEIGHBORS 8
#define NETSTACK_MAX_ROUTE_ENTRIES 0
#define UIP_CONF_UDP_CONNS 2
#endif

#endif
