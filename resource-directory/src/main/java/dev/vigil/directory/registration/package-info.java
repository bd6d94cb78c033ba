/**
 * Registrations at the directory: {@code /rd}, {@code /rd/{id}} and {@code /.well-known/rd} (RFC
 * 9176 section 5), with their ownership and limits.
 *
 * <p>Threads: resources answer on the calling thread, any number at a time; work after a commit
 * runs on the store's thread. The rate limiter, the capacity reservation and the cache of fetched
 * links each guard themselves.
 */
@NullMarked
package dev.vigil.directory.registration;

import org.jspecify.annotations.NullMarked;
