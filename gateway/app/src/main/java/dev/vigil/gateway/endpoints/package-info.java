/**
 * Sleepy endpoints for operators and applications: REST over the mirror's views, and a stream of
 * events.
 *
 * <p>Threads: requests run on virtual threads. Each event stream has one virtual thread that
 * writes. Its backlog holds at most one change for each endpoint.
 */
@ApplicationModule(
    allowedDependencies = {
      "api",
      "bridge",
      "calibrations",
      "callers",
      "domains",
      "exchange",
      "labels",
      "limits",
      "problems",
      "records",
      "store",
      "streams",
      "tags",
      "tls",
      "tracing"
    })
@NullMarked
package dev.vigil.gateway.endpoints;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
