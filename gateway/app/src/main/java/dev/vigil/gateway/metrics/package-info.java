/** Metrics of the process, and who may read metrics. Each feature registers its own metrics. */
@ApplicationModule(allowedDependencies = "tls")
@NullMarked
package dev.vigil.gateway.metrics;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
