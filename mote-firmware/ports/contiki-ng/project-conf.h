/* What this port asks of Contiki-NG. Settings that differ between motes are make variables (see
 * the Makefile); keys are in the header that SECRETS names. */
#ifndef PROJECT_CONF_H_
#define PROJECT_CONF_H_

#ifdef MOTE_SECRETS
#include MOTE_SECRETS
#endif

/* ---- the application ---- */

/* The gateway's address in the mesh: its prefix with 1 behind it. */
#ifndef MOTE_CONF_MIRROR
#define MOTE_CONF_MIRROR "fd00::1"
#endif
#ifndef MOTE_CONF_WAKE
#define MOTE_CONF_WAKE 60
#endif
/* A leaf forwards for nobody, so its radio may be off between wake-ups. */
#ifndef MOTE_CONF_LEAF
#define MOTE_CONF_LEAF 0
#endif

/* ---- what Contiki-NG does ---- */

#define RPL_CONF_DEFAULT_LEAF_ONLY MOTE_CONF_LEAF

/* Keys are made from it; Contiki-NG seeds it on native and cc2538, port-crypto.c in Cooja. */
#define CSPRNG_CONF_ENABLED 1

/* A registration takes seven frames, and each waits in a buffer. */
#ifndef QUEUEBUF_CONF_NUM
#define QUEUEBUF_CONF_NUM 16
#endif
#define CSMA_CONF_MAX_NEIGHBOR_QUEUES 4

#if CONTIKI_TARGET_NATIVE
#define NETSTACK_CONF_NETWORK sicslowpan_driver
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
/* The deepest sleep keeps only half of the RAM. */
#define LPM_CONF_MAX_PM 1
#define NBR_TABLE_CONF_MAX_NEIGHBORS 8
#define NETSTACK_MAX_ROUTE_ENTRIES 0
#define UIP_CONF_UDP_CONNS 2
#endif

#endif
