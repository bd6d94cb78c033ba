/**
 * Readings that motes have stored (docs/protocol.md section 12): asked for over CoAP, received as
 * ESP packets, and handed to operators.
 *
 * <p>Threads: a request runs on its own virtual thread and waits there for blocks; the bridge's
 * pipeline thread puts them into the queue of the transfer that waits for their mote. {@code
 * backfill} fills the gaps of histories, one endpoint after the other; the store's thread only
 * tells it which.
 */
@NullMarked
package dev.vigil.gateway.fetch;

import org.jspecify.annotations.NullMarked;
