/**
 * The associations that end at the bridge's own host: their file, the policy for each peer,
 * sequence numbers and replay windows that survive a restart, and traffic counters.
 *
 * <p>Threads: {@code SecurityAssociations} belongs to the pipeline thread; any thread may read its
 * statistics, which are concurrent counters behind a volatile list.
 */
@NullMarked
package dev.vigil.border.associations;

import org.jspecify.annotations.NullMarked;
