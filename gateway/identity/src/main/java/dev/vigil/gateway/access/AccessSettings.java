package dev.vigil.gateway.access;

import java.util.Map;

/**
 * The settings that decide who may do what.
 *
 * @param operatorToken whether the operator's token is accepted
 * @param operatorTokenFile a file with the operator's token; empty: {@code operator.token} in the
 *     data folder
 * @param anonymousRead whether anyone may look up and read, in domains that set no {@code read}
 * @param domains by name; empty is the name of the unnamed domain
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
