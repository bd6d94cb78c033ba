/**
 * Log lines that strangers can cause, at a bounded rate.
 *
 * <p>Threads: none of its own; any thread may call.
 */
@NullMarked
package dev.vigil.coap.log;

import org.jspecify.annotations.NullMarked;
