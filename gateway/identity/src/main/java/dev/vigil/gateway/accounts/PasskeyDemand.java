package dev.vigil.gateway.accounts;

import java.util.Locale;

/** The person who demands a passkey of an account; stored by its name. */
public enum PasskeyDemand {
  /** The account's user, who may withdraw it. */
  OWNER,
  /** An administrator: the user may not withdraw it. */
  ADMINISTRATOR;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
