/** The open alarms of endpoints, for modules that must not use the alarms. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.openalarms;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
