/**
 * Checks of settings, with messages that name the property and its allowed values. Pure functions.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.settings;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
