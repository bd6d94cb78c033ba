/** The system clock; no other package reads it. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.time;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
