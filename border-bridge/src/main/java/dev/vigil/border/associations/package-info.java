/**
 * The associations that end at the bridge's own host: the file that names them, what protects whose
 * packets, sequence numbers and replay windows that survive a restart, and what each association
 * carried.
 *
 * <p>Threads: {@code SecurityAssociations} belongs to the pipeline thread; any thread reads its
 * statistics, which are concurrent counters behind a volatile list.
 */
@NullMarked
package dev.vigil.border.associations;

import org.jspecify.annotations.NullMarked;
