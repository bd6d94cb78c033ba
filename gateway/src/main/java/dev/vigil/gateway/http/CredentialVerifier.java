package dev.vigil.gateway.http;

import dev.vigil.coap.exchange.Caller;
import java.net.InetAddress;

/** Verifies the credentials of an Authorization header. */
@FunctionalInterface
public interface CredentialVerifier {
  /**
   * @param authorization value of the header
   * @param source address of the client
   * @throws dev.vigil.coap.exchange.ErrorResponseException 4.01 when the credentials are invalid,
   *     4.29 after too many failed attempts of the source
   */
  Caller.Identity identify(String authorization, InetAddress source);
}
