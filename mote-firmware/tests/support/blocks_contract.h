/*
 * The promises of mote/port/block_storage.h, for every block storage: file, RAM, Coffee. Needs no
 * test harness, because it also runs on motes.
 */
#ifndef MOTE_TESTS_SUPPORT_BLOCKS_CONTRACT_H
#define MOTE_TESTS_SUPPORT_BLOCKS_CONTRACT_H

#include "mote/port/block_storage.h"

/* Erases and writes every segment many times. Returns the broken promise, or NULL. */
const char *blocks_contract(const struct block_storage *storage);

#endif
