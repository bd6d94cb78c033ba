package dev.vigil.gateway.accounts;

import java.util.Locale;

/** The person who demands a passkey of an account; stored by its name. */
enum PasskeyDemand {
  /** The account's user, who may withdraw it. */
  OWNER,
  /** An administrator: the user may not withdraw it. */
  ADMINISTRATOR;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
