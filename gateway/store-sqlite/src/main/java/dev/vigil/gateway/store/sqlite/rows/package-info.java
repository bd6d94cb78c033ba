/**
 * The meaning of the database's rows: their checksums, times, the retention of slots, changes with
 * all their columns, and work on connections.
 *
 * <p>Threads: the functions keep no state, so any thread may call them.
 */
@NullMarked
package dev.vigil.gateway.store.sqlite.rows;

import org.jspecify.annotations.NullMarked;
