/**
 * Readings that motes have stored (docs/protocol.md section 12): asked for over CoAP, received as
 * ESP packets, and handed to operators.
 *
 * <p>Threads: a request runs on its own virtual thread and waits there for blocks; the bridge's
 * pipeline thread puts them into the queue of the transfer that waits for their mote.
 */
@NullMarked
package dev.vigil.gateway.fetch;

import org.jspecify.annotations.NullMarked;
