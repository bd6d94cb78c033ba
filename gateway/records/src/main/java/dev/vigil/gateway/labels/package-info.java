/** The names and locations that operators give endpoints. Immutable and thread-safe. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.labels;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
