/**
 * Limits the rate of log lines that strangers can cause.
 *
 * <p>Threads: the package has no threads; any thread may call it.
 */
@NullMarked
package dev.vigil.coap.log;

import org.jspecify.annotations.NullMarked;
