package dev.vigil.gateway.oidc;

import java.util.List;

/**
 * A person's sign-in through a provider, as a session keeps it.
 *
 * @param subject the provider's own id of the person
 * @param values those of the roles' claim to which the settings gave roles at the sign-in
 */
public record ProviderLogin(String issuer, String subject, List<String> values) {
  public ProviderLogin {
    values = List.copyOf(values);
  }
}
