/**
 * The names and locations that operators give endpoints, and the way in which records about
 * endpoints are kept. Thread-safe.
 */
@ApplicationModule(allowedDependencies = {"api", "callers", "problems", "records"})
@NullMarked
package dev.vigil.gateway.labels;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
