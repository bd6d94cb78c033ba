/**
 * Limits on what strangers search and read over HTTP, by the source of their requests.
 *
 * <p>Threads: a search, or a page of a history, that a stranger requests runs on a virtual thread
 * of its own, one at a time, while the thread of the request waits.
 */
@ApplicationModule(allowedDependencies = {"api", "problems"})
@NullMarked
package dev.vigil.gateway.limits;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
