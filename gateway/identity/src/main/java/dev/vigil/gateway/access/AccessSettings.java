package dev.vigil.gateway.access;

import java.util.Map;

/**
 * The settings for access control.
 *
 * @param operatorToken whether the operator's token is accepted
 * @param operatorTokenFile a file with the operator's token; empty: {@code operator.token} in the
 *     data folder
 * @param anonymousRead whether anyone may look up and read in domains without the setting {@code
 *     read}
 * @param domains policies by domain name; the unnamed domain has the empty name
 */
public record AccessSettings(
    boolean operatorToken,
    String operatorTokenFile,
    boolean anonymousRead,
    Map<String, PolicySettings> domains) {
  public AccessSettings {
    domains = Map.copyOf(domains);
  }
}
