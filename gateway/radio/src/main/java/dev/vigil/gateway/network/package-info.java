/**
 * The radio network for operators: nodes, links, frames captured live, stored settings, events.
 *
 * <p>Threads: requests read snapshots on their own threads; {@code network-events} samples the
 * network while event streams are open; a live capture is written by the thread of its request.
 */
@ApplicationModule(
    allowedDependencies = {"api", "associations", "bridge", "callers", "problems", "records"})
@NullMarked
package dev.vigil.gateway.network;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
