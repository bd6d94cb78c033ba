/**
 * The security cost model of {@code dev.vigil.border.cost} as a part of the API.
 *
 * <p>Threads: requests compute on their own.
 */
@ApplicationModule(allowedDependencies = {"callers", "problems"})
@NullMarked
package dev.vigil.gateway.cost;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
