/**
 * Access to {@code /actuator/prometheus} and {@code /actuator/info}, and metrics of the process.
 * Each feature registers its own metrics. Filters run on the thread of the request.
 */
@ApplicationModule(allowedDependencies = {"callers", "tls"})
@NullMarked
package dev.vigil.gateway.metrics;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
