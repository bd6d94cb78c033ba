/**
 * Streams of server-sent events, which endpoints and dashboards share.
 *
 * <p>Threads: each stream has one virtual thread that writes. Other threads only add to its
 * backlog, so that a slow client delays nobody.
 */
@ApplicationModule(allowedDependencies = "problems")
@NullMarked
package dev.vigil.gateway.streams;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
