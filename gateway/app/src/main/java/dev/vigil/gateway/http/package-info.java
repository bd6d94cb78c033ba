/**
 * The web server: its connectors, the filters that every request passes, the caller and the body of
 * a request. {@code exchange} and {@code api} build on it.
 *
 * <p>Each request runs on its own virtual thread. Requests share only the connections of {@link
 * dev.vigil.gateway.http.ConnectionTable}, under its lock.
 */
@ApplicationModule(
    allowedDependencies = {
      "api",
      "callers",
      "credentials",
      "exchange",
      "files",
      "metrics",
      "problems",
      "publish",
      "store",
      "tls"
    })
@NullMarked
package dev.vigil.gateway.http;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
