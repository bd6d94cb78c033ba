/**
 * The common part of the controllers of {@code /api}: paging, entity tags, bodies, names of
 * domains, waiting for results.
 */
@ApplicationModule(allowedDependencies = {"callers", "problems"})
@NullMarked
package dev.vigil.gateway.api;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
