/**
 * Keeps secrets out of whatever people see: which settings may be shown, and removal of known
 * secrets from texts. Immutable, for any thread.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.redaction;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
