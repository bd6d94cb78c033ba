/**
 * The parts of the store beyond {@link dev.vigil.store.Store}: the data folder, the files beside
 * the database, the secrets that gateways share, and the store's counters and health. Adapters in
 * separate modules implement these interfaces.
 */
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"files", "time"})
@NullMarked
package dev.vigil.gateway.store;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
