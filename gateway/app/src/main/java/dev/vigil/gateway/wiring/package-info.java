/**
 * Puts the gateway together: all settings in one record, the settings of each feature as a separate
 * bean, the store, the dispatcher of requests, clock and randomness. Runs on {@code main} at the
 * start.
 */
@ApplicationModule(
    allowedDependencies = {
      "access",
      "accounts",
      "aggregates",
      "automations",
      "bridge",
      "cluster",
      "coap",
      "domains",
      "duties",
      "exchange",
      "identity",
      "metrics",
      "northbound",
      "oidc",
      "publish",
      "records",
      "settings",
      "store",
      "time",
      "tls",
      "tracing",
      "webpush"
    })
@NullMarked
package dev.vigil.gateway.wiring;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
