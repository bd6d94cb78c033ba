/**
 * The parts of the store beyond {@link dev.vigil.store.Store}: the data folder and the files beside
 * the database, its counters and its health. Adapters are modules of their own that implement these
 * interfaces.
 */
@ApplicationModule(type = ApplicationModule.Type.OPEN, allowedDependencies = "files")
@NullMarked
package dev.vigil.gateway.store;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
