package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.Grants;
import java.util.List;

/** The part of an account that administrators decide. */
record AccountChange(Grants grants, List<String> identities, boolean enabled) {
  AccountChange {
    identities = List.copyOf(identities);
  }
}
