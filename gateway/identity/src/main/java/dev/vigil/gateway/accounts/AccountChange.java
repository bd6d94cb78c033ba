package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.Grants;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of an account that administrators decide.
 *
 * @param demand who demands a passkey besides the password; null: nobody
 */
public record AccountChange(
    Grants grants, List<String> identities, boolean enabled, @Nullable PasskeyDemand demand) {
  public AccountChange {
    identities = List.copyOf(identities);
  }
}
