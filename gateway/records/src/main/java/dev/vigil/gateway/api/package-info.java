/**
 * The common part of the controllers of {@code /api}: paging, entity tags, bodies, names of
 * domains, waiting for results, limits on searches and on reading the archive.
 *
 * <p>Threads: a page of the archive that a stranger requests is read by a virtual thread of its
 * own, one at a time, while the thread of the request waits.
 */
@ApplicationModule(allowedDependencies = {"callers", "problems"})
@NullMarked
package dev.vigil.gateway.api;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
