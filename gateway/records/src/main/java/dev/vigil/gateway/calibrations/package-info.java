/**
 * Calibrations that operators give the resources of endpoints. They change only what pages show:
 * values, alarms, exports and deliveries stay as the endpoints signed them. Thread-safe.
 */
@ApplicationModule(allowedDependencies = {"api", "callers", "labels", "problems", "records"})
@NullMarked
package dev.vigil.gateway.calibrations;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
