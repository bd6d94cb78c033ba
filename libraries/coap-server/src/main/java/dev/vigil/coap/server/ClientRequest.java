package dev.vigil.coap.server;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that {@link CoapClient} sends.
 *
 * @param server of the scheme {@code coap}; only host and port are used
 * @param path percent-decoded segments
 * @param format of the payload; null for a request without payload
 */
public record ClientRequest(
    Method method,
    URI server,
    List<String> path,
    Query query,
    @Nullable ContentFormat format,
    byte[] payload) {}
