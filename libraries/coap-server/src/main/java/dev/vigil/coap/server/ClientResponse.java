package dev.vigil.coap.server;

import java.util.List;

/**
 * A response that {@link CoapClient} has received.
 *
 * @param code in the notation of RFC 7252, for instance {@code 2.01}
 * @param location segments of the path of a created resource
 */
public record ClientResponse(String code, List<String> location, byte[] payload) {
  public boolean isSuccess() {
    return code.startsWith("2.");
  }
}
