/**
 * The gateway itself, for its operators: version, health of its parts, figures, and the settings in
 * force with where each comes from. Everything is read on the request's thread.
 */
@ApplicationModule(
    allowedDependencies = {
      "api",
      "bridge",
      "callers",
      "cluster",
      "duties",
      "redaction",
      "store",
      "wiring"
    })
@NullMarked
package dev.vigil.gateway.system;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
