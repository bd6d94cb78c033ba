/** The clock of the system, the only place that reads it. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.time;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
