package dev.vigil.gateway.access;

import dev.vigil.coap.exchange.Access.Action;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A role of an account in a domain; each role includes the rights of the roles before it. */
public enum Role {
  /** May look up and read. */
  VIEWER,
  /** May also send commands and decide on keys. */
  OPERATOR,
  /** May also change accounts and settings. */
  ADMINISTRATOR;

  /** The lowest role that permits an action. */
  static Role needed(Action action) {
    return switch (action) {
      case LOOK_UP, READ -> VIEWER;
      case REGISTER, COMMAND, OPERATE -> OPERATOR;
      case ADMINISTER -> ADMINISTRATOR;
    };
  }

  boolean permits(Action action) {
    return compareTo(needed(action)) >= 0;
  }

  /** The name in settings and in the REST API, for instance viewer. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Role> of(String label) {
    return Arrays.stream(values()).filter(role -> role.label().equals(label)).findAny();
  }
}
