package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.Grants;
import java.util.List;

/** What administrators decide about an account. */
record AccountChange(Grants grants, List<String> identities, boolean enabled) {
  AccountChange {
    identities = List.copyOf(identities);
  }
}
