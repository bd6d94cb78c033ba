/**
 * The common code of the controllers under {@code /api}: paging, entity tags, bodies, domain names,
 * waiting for results.
 */
@ApplicationModule(allowedDependencies = {"callers", "problems"})
@NullMarked
package dev.vigil.gateway.api;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
