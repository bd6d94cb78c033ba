/**
 * The adapter that serves the resources of the {@link dev.vigil.coap.exchange.RequestDispatcher}
 * over HTTP (RFC 8075): one servlet, and the conversion of requests and responses.
 *
 * <p>Each request runs on its own virtual thread, which waits for the response. Only {@link
 * dev.vigil.gateway.exchange.LargeResponseLimit} is shared between requests.
 */
@ApplicationModule(allowedDependencies = {"api", "callers", "problems", "tls"})
@NullMarked
package dev.vigil.gateway.exchange;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
