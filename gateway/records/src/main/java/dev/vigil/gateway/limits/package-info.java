/**
 * Limits, per source address, on searches and archive reads that strangers request over HTTP.
 *
 * <p>Threads: each search or history page of a stranger runs on a separate virtual thread, one at a
 * time, while the request's thread waits.
 */
@ApplicationModule(allowedDependencies = {"api", "problems"})
@NullMarked
package dev.vigil.gateway.limits;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
