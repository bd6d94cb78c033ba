/*
 * All settings of this port: first the application's, then Contiki-NG's. Settings that differ
 * between motes are also make variables (see the Makefile). Set any other by DEFINES=NAME=VALUE,...
 * or in the header that SECRETS names. README.md states the sizes of features; this file states the
 * RAM of buffers, in octets.
 */
#ifndef PROJECT_CONF_H_
#define PROJECT_CONF_H_

#ifdef MOTE_SECRETS
#include MOTE_SECRETS
#endif

#define MOTE_ON_CC2538 (CONTIKI_TARGET_CC2538DK || CONTIKI_TARGET_ZOUL)

/* ---- identity and timing ---- */

/* MOTE_CONF_EP "NAME": the endpoint's name, at most 63 letters; default: `mote-` and the EUI-64. */

/* The mirror's address; default: the gateway's default (its ready line). */
#ifndef MOTE_CONF_MIRROR
#define MOTE_CONF_MIRROR "fd00::56:4947:494c:1"
#endif
/* Seconds between wake-ups. */
#ifndef MOTE_CONF_WAKE
#define MOTE_CONF_WAKE 60
#endif
/* The longest pause in seconds after failures, unless WAKE is longer. */
#ifndef MOTE_CONF_SLOW
#define MOTE_CONF_SLOW 60
#endif
/* Lifetime of a registration in seconds; it is renewed after three quarters. */
#ifndef MOTE_CONF_LIFETIME
#define MOTE_CONF_LIFETIME 86400
#endif
/* Milliseconds to wait for the answer to a non-confirmable update, which comes over several hops.
 * 0: not at all. */
#ifndef MOTE_CONF_LISTEN
#define MOTE_CONF_LISTEN 2000
#endif

/* ---- features ---- */

/* 1: a leaf, which does not forward; its radio is off between wake-ups. */
#ifndef MOTE_CONF_LEAF
#define MOTE_CONF_LEAF 0
#endif
/* 1: updates are encrypted under an agreed key (docs/protocol.md section 7). */
#ifndef MOTE_CONF_ENCRYPT
#define MOTE_CONF_ENCRYPT 0
#endif
/* MOTE_COMMANDER "{\"kty\":\"EC\",...}": the P-256 key (JWK) that may command (docs/protocol.md
 * section 8). */

/* Wake-ups between requests for commands. */
#ifndef MOTE_CONF_CHECK
#define MOTE_CONF_CHECK 1
#endif
/* 0: neighbours do not support compressed AH and ESP. */
#ifndef MOTE_CONF_NHC
#define MOTE_CONF_NHC 1
#endif
/* MOTE_LINK_KEY {16 octets}: link security with this key, at MOTE_LINK_LEVEL 1, 2, 3, 5, 6 or 7. */

/* The make variable SA names a file of associations: ESP and AH with hosts. 1: missing records of
 * their sequence numbers may be created, because no number was ever used. For one start of an
 * image. */
#ifndef MOTE_CONF_NEW_SA
#define MOTE_CONF_NEW_SA 0
#endif

/* ---- buffers ---- */

/* Octets of a signed object. A registration has 580 with the longest name, 40 more with a
 * commander, 180 more with encryption. A command must fit too. Once in RAM. */
#ifndef MOTE_CONF_BODY
#if MOTE_CONF_ENCRYPT || CONTIKI_TARGET_NATIVE
#define MOTE_CONF_BODY 800
#else
#define MOTE_CONF_BODY 704
#endif
#endif
/* Octets of a response payload. Once in RAM. */
#ifndef MOTE_CONF_ANSWER
#define MOTE_CONF_ANSWER 304
#endif
/* SZX of CoAP blocks: 4 for 256 octets, in four frames; 5 for 512. */
#ifndef MOTE_CONF_BLOCK_SZX
#define MOTE_CONF_BLOCK_SZX 4
#endif
/* Octets of a CoAP message: a block and its header. Twice in RAM: sent and received. */
#ifndef MOTE_CONF_MESSAGE
#define MOTE_CONF_MESSAGE ((16 << MOTE_CONF_BLOCK_SZX) + 128)
#endif
/* AH and ESP: the number of datagrams in reassembly, and the octets of the longest. RAM: their
 * product, and 64 more for each. */
#ifndef MOTE_CONF_REASSEMBLIES
#define MOTE_CONF_REASSEMBLIES 2
#endif
#ifndef MOTE_CONF_DATAGRAM
#if MOTE_ON_CC2538
#define MOTE_CONF_DATAGRAM 640
#else
#define MOTE_CONF_DATAGRAM 1280
#endif
#endif
/* Link security: the number of neighbours with stored frame counters, at most 22 minus the number
 * of associations, and 4 fewer with a block store. Frames of further neighbours are refused. 16
 * octets each. */
#ifndef MOTE_CONF_SENDERS
#define MOTE_CONF_SENDERS 16
#endif
/* cc2538: octets of stack in addition to Contiki-NG's 2048; signing takes 4500. */
#ifndef MOTE_CONF_STACK
#define MOTE_CONF_STACK 4096
#endif

/* ---- Contiki-NG ---- */

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

/* The csprng generates keys; Contiki-NG seeds it on native and cc2538, port-crypto.c in Cooja. */
#define CSPRNG_CONF_ENABLED 1

/* Queued frames: a registration takes seven. 148 octets each. */
#ifndef QUEUEBUF_CONF_NUM
#define QUEUEBUF_CONF_NUM 16
#endif
#define CSMA_CONF_MAX_NEIGHBOR_QUEUES 4

#if CONTIKI_TARGET_NATIVE
#define NETSTACK_CONF_RADIO zep_radio_driver
/* The virtual radio has no signal strength from which to estimate a link's quality. */
#define LINK_STATS_CONF_INIT_ETX_FROM_RSSI 0
/* Short Trickle intervals: a mesh of processes forms in seconds. */
#define RPL_CONF_DIS_INTERVAL (5 * CLOCK_SECOND)
#define RPL_CONF_DAO_DELAY CLOCK_SECOND
/* No serial line on stdin: at its end Contiki-NG's loop would spin. */
#define SELECT_CONF_STDIN 0
#define SELECT_CONF_MAX 64
#endif

#if MOTE_ON_CC2538
/* A sector for each of four files, and as many for new ones: 16 KB of flash. A block store has a
 * sector for each segment, and one for a new one. */
#ifdef MOTE_CONF_STORE
#define COFFEE_CONF_SIZE ((9 + MOTE_CONF_STORE) * COFFEE_SECTOR_SIZE)
#else
#define COFFEE_CONF_SIZE (8 * COFFEE_SECTOR_SIZE)
#endif
/* The deepest sleep mode retains only half of the RAM. */
#define LPM_CONF_MAX_PM 1
/* Neighbours in routing and link statistics. */
#ifndef NBR_TABLE_CONF_MAX_NEIGHBORS
#define NBR_TABLE_CONF_MAX_NEIGHBORS 8
#endif
#define NETSTACK_MAX_ROUTE_ENTRIES 0
#define UIP_CONF_UDP_CONNS 2
#endif

#endif
