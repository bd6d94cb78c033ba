package dev.vigil.mirror;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import java.util.List;

/** Requests as an adapter would create them. */
final class Requests {
  private Requests() {}

  static Request post(ContentFormat format, byte[] payload) {
    Query query = new Query(List.of(new Query.Parameter("ep", "mote-1")));
    return new Request(
        Method.POST,
        List.of("ms"),
        query,
        format,
        payload,
        List.of(),
        true,
        MirrorFixture.caller("2001:db8::1", true));
  }
}
