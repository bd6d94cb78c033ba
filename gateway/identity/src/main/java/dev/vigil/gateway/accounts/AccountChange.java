package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.Grants;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The properties of an account that administrators may change.
 *
 * @param demand who requires a passkey in addition to the password; null: nobody
 */
public record AccountChange(
    Grants grants, List<String> identities, boolean enabled, @Nullable PasskeyDemand demand) {
  public AccountChange {
    identities = List.copyOf(identities);
  }
}
