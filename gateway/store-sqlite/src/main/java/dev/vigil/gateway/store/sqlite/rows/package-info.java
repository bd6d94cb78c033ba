/**
 * The meaning of the database's rows: times, the retention of slots, and changes with all their
 * columns.
 *
 * <p>Threads: the functions keep no state, so any thread may call them.
 */
@NullMarked
package dev.vigil.gateway.store.sqlite.rows;

import org.jspecify.annotations.NullMarked;
