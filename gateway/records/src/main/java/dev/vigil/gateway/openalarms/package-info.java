/**
 * The open alarms of endpoints, for modules that must not use the alarms, and the state of
 * automations, which the alarms must not use.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.openalarms;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
