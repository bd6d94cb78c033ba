/**
 * Lookups (RFC 9176 section 6), discovery in {@code /.well-known/core} and their observation.
 *
 * <p>Threads: resources answer on the calling thread, any number at a time. {@link
 * dev.vigil.directory.lookup.ObservedLookups} is also called by the store's feed thread and guards
 * itself.
 */
@NullMarked
package dev.vigil.directory.lookup;

import org.jspecify.annotations.NullMarked;
