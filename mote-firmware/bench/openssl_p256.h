/*
 * The curve of the simulated month: OpenSSL's, which is about twenty times as fast as BearSSL's on
 * this machine. Never part of a mote: its nonces are good enough only for a simulation.
 */
#ifndef MOTE_BENCH_OPENSSL_P256_H
#define MOTE_BENCH_OPENSSL_P256_H

#include "mote/crypto.h"

/* The driver, which all motes of the process share. */
const struct p256 *openssl_p256(void);

#endif
