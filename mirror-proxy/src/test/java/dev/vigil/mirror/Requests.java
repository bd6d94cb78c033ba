package dev.vigil.mirror;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.exchange.Request;
import java.util.List;

/** Requests that no adapter made. */
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
        World.caller("2001:db8::1", true));
  }
}
