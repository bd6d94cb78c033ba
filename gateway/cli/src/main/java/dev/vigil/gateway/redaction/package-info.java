/**
 * Keeps secrets out of visible texts: decides which settings may be shown and removes known secrets
 * from texts. Immutable and thread-safe.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.redaction;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
