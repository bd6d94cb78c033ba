package dev.vigil.gateway.oidc;

import java.util.List;

/**
 * A person's sign-in through a provider, stored in the session.
 *
 * @param subject the provider's id of the person
 * @param values the values of the roles claim to which the settings assigned roles at the sign-in
 */
public record ProviderLogin(String issuer, String subject, List<String> values) {
  public ProviderLogin {
    values = List.copyOf(values);
  }
}
