/**
 * The units in which pages and exports show numbers: a table of the units of each quantity, and the
 * choice of the gateway. Measurements keep the units that the endpoints signed.
 *
 * <p>Threads: any; the choice is a record.
 */
@ApplicationModule(allowedDependencies = {"api", "callers", "problems", "records"})
@NullMarked
package dev.vigil.gateway.units;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
