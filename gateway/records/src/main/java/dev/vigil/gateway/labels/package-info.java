/** What operators call endpoints, and where they are. Immutable, for any thread. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.labels;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
