package dev.vigil.gateway.access;

import dev.vigil.directory.exchange.Access.Allowed;
import dev.vigil.directory.exchange.Access.Decision;
import dev.vigil.directory.exchange.Access.Refused;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.gateway.config.WrongSetting;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Who may do something in a domain, as settings say it. */
sealed interface Who {
  Decision ALLOWED = new Allowed();

  record Anyone() implements Who {}

  /**
   * Whoever the gateway knows: by a shared key, a certificate, an account. A raw key alone shows
   * only that somebody has one.
   */
  record Identified() implements Who {}

  /**
   * @param labels as {@link Caller#labels} writes them
   */
  record Named(Set<String> labels) implements Who {
    public Named {
      labels = Set.copyOf(labels);
    }
  }

  Pattern LABEL = Pattern.compile("(psk|cert|account):.+|rpk:[A-Za-z0-9_-]{43}");

  /**
   * @param property for the message
   * @throws WrongSetting when it says something else
   */
  static Who of(String property, List<String> told) {
    if (told.equals(List.of("anyone"))) {
      return new Anyone();
    }
    if (told.equals(List.of("identified"))) {
      return new Identified();
    }
    for (String label : told) {
      if (!LABEL.matcher(label).matches()) {
        throw new WrongSetting(
            property,
            "takes anyone, identified, or a list of psk:NAME, rpk:THUMBPRINT, cert:CN:NAME and"
                + " account:NAME, not \"%s\"".formatted(label));
      }
    }
    return new Named(Set.copyOf(told));
  }

  /** As the settings would say it. */
  default List<String> told() {
    return switch (this) {
      case Anyone() -> List.of("anyone");
      case Identified() -> List.of("identified");
      case Named(Set<String> labels) -> labels.stream().sorted().toList();
    };
  }

  /**
   * @param what they would do, for the message
   */
  default Decision decide(Caller caller, String what) {
    boolean allowed =
        switch (this) {
          case Anyone() -> true;
          case Identified() -> isKnown(caller);
          case Named(Set<String> labels) -> caller.labels().stream().anyMatch(labels::contains);
        };
    if (allowed) {
      return ALLOWED;
    }
    return caller.identity() instanceof Caller.Anonymous
        ? new Refused(Code.UNAUTHORIZED, what + " needs credentials on this gateway")
        : new Refused(Code.FORBIDDEN, what + " is not for this identity");
  }

  private static boolean isKnown(Caller caller) {
    return switch (caller.identity()) {
      case Caller.PreSharedKey _, Caller.Certificate _, Caller.Account _ -> true;
      case Caller.Anonymous(), Caller.RawKey _ -> false;
    };
  }
}
