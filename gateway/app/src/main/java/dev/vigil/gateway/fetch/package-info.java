/**
 * Stored readings of motes (docs/protocol.md section 12): requested over CoAP, received as ESP
 * packets, and delivered to operators.
 *
 * <p>Threads: a request runs on its own virtual thread and waits there for blocks. The bridge's
 * pipeline thread puts blocks into the queue of the transfer that waits for their mote. {@code
 * backfill} fills the gaps of histories, one endpoint after the other; the store's thread only
 * reports which endpoints to check.
 */
@ApplicationModule(allowedDependencies = {"api", "associations", "bridge", "callers", "problems"})
@NullMarked
package dev.vigil.gateway.fetch;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
