/**
 * Northbound: delivers changes of the feed to other systems, at least once, in the order of the
 * feed. Each {@link dev.vigil.gateway.northbound.Destination} has a durable cursor in the records
 * of the gateway; sub-packages hold the kinds of destinations.
 *
 * <p>Threads: each destination has one virtual thread, {@code northbound}, that reads the feed in
 * pages, sends, and waits for acknowledgements and for back-off. The store's feed thread only
 * counts pending changes. Therefore an unavailable destination costs no memory, and the number of
 * readings removed by retention is known.
 */
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {
      "api",
      "callers",
      "cluster",
      "commanders",
      "files",
      "labels",
      "problems",
      "records",
      "settings"
    })
@NullMarked
package dev.vigil.gateway.northbound;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
