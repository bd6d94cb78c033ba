package dev.vigil.gateway.credentials;

import dev.vigil.coap.exchange.Caller;
import java.net.InetAddress;

/** Verifies the credentials of HTTP requests. */
public interface CredentialVerifier {
  /**
   * Returns the identity behind credentials. An ended session counts as no credentials, because
   * browsers continue to send its cookie.
   *
   * @param source address of the client
   * @throws dev.vigil.gateway.problems.ProblemException 4.01 when the Authorization header is
   *     invalid, 4.29 after too many failed attempts from the source
   */
  Caller.Identity identify(Credentials credentials, InetAddress source);

  /** Whether credentials only permit changing their account's one-time password. */
  boolean needNewPassword(Credentials credentials);

  /**
   * Whether accepted credentials still belong to the same identity with the same roles. Open event
   * streams ask repeatedly.
   */
  boolean areValid(Credentials credentials, Caller.Identity identity);
}
