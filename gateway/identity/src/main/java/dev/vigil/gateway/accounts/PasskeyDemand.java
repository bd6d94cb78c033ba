package dev.vigil.gateway.accounts;

import java.util.Locale;

/** The person who requires a passkey for an account; stored by the constant's name. */
public enum PasskeyDemand {
  /** The account's user, who may withdraw the requirement. */
  OWNER,
  /** An administrator; the user may not withdraw the requirement. */
  ADMINISTRATOR;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
