package dev.vigil.gateway.credentials;

import dev.vigil.coap.exchange.Caller;
import java.net.InetAddress;

/** Verifies the credentials of HTTP requests. */
public interface CredentialVerifier {
  /**
   * The identity behind credentials. A session that has ended is nobody's: browsers go on to send
   * its cookie.
   *
   * @param source address of the client
   * @throws dev.vigil.gateway.problems.ProblemException 4.01 when an Authorization header is
   *     invalid, 4.29 after too many failed attempts of the source
   */
  Caller.Identity identify(Credentials credentials, InetAddress source);

  /** Whether credentials permit nothing but to change their account's one-time password. */
  boolean needNewPassword(Credentials credentials);

  /**
   * Whether credentials that were accepted still stand for the same identity with the same roles.
   * Event streams ask as long as they are open.
   */
  boolean areValid(Credentials credentials, Caller.Identity identity);
}
