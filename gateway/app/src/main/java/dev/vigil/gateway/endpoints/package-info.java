/**
 * Sleepy endpoints for operators and applications: REST over the mirror's views, and a stream of
 * events.
 *
 * <p>Threads: requests run on virtual threads. Each event stream has one virtual thread that
 * writes; the store's feed thread only adds to its backlog, which holds at most one change for each
 * endpoint, so that a slow client delays nobody.
 */
@ApplicationModule(
    allowedDependencies = {
      "api",
      "bridge",
      "callers",
      "domains",
      "exchange",
      "labels",
      "limits",
      "problems",
      "records",
      "store",
      "tags",
      "tls",
      "tracing"
    })
@NullMarked
package dev.vigil.gateway.endpoints;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
