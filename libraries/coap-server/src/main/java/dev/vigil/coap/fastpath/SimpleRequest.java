package dev.vigil.coap.fastpath;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A CoAP request (RFC 7252 section 3) that needs only one datagram in each direction. It has no
 * Observe, no Block1 or Block2 and no unsupported critical option.
 *
 * @param id the message ID
 * @param tags the values of the ETag options
 * @param echo the value of the Echo option (RFC 9175), empty without one
 * @param noResponse the value of the No-Response option (RFC 7967), 0 without one
 */
record SimpleRequest(
    boolean confirmable,
    int id,
    byte[] token,
    Method method,
    List<String> path,
    Query query,
    @Nullable ContentFormat format,
    List<ContentFormat> accept,
    List<byte[]> tags,
    byte[] echo,
    int noResponse,
    byte[] payload) {

  Request request(Caller caller, String base) {
    return new Request(method, path, query, format, payload, accept, confirmable, caller, base);
  }

  /** Whether the client wants no response with such a code (RFC 7967 section 2.1). */
  boolean suppresses(Code code) {
    int codeClass = code.octet() >> 5;
    return (noResponse & 1 << codeClass - 1) != 0;
  }
}
