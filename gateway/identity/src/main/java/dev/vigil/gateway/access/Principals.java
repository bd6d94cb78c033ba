package dev.vigil.gateway.access;

import dev.vigil.coap.exchange.Access.Allowed;
import dev.vigil.coap.exchange.Access.Decision;
import dev.vigil.coap.exchange.Access.Refused;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The callers that a setting allows. */
sealed interface Principals {
  Decision ALLOWED = new Allowed();

  record Anyone() implements Principals {}

  /**
   * Callers identified by a shared key or a certificate that no account names; accounts have roles
   * instead. A raw public key is not enough because anyone can make one. A broker is not enough
   * because it does not reveal who published.
   */
  record Identified() implements Principals {}

  /**
   * @param labels labels in the form of {@link Caller#labels}
   */
  record Named(Set<String> labels) implements Principals {
    public Named {
      labels = Set.copyOf(labels);
    }
  }

  Pattern LABEL = Pattern.compile("(psk|cert|account|mqtt):.+|rpk:[A-Za-z0-9_-]{43}");

  /**
   * @param property the setting's name, for the message
   * @throws InvalidSettingException when the value has none of the known forms
   */
  static Principals of(String property, List<String> setting) {
    if (setting.equals(List.of("anyone"))) {
      return new Anyone();
    }
    if (setting.equals(List.of("identified"))) {
      return new Identified();
    }
    for (String label : setting) {
      if (!LABEL.matcher(label).matches()) {
        throw new InvalidSettingException(
            property,
            "takes anyone, identified, or a list of psk:NAME, rpk:THUMBPRINT, cert:CN:NAME,"
                + " account:NAME and mqtt:NAME, not \"%s\"".formatted(label));
      }
    }
    return new Named(Set.copyOf(setting));
  }

  /** The setting that {@link #of} reads. */
  default List<String> setting() {
    return switch (this) {
      case Anyone() -> List.of("anyone");
      case Identified() -> List.of("identified");
      case Named(Set<String> labels) -> labels.stream().sorted().toList();
    };
  }

  /**
   * @param hasRoles whether the caller has an account, which has its own roles
   * @param activity for the message, for instance "reading"
   */
  default Decision decide(Caller caller, boolean hasRoles, String activity) {
    boolean allowed =
        switch (this) {
          case Anyone() -> true;
          case Identified() -> !hasRoles && isKnown(caller);
          case Named(Set<String> labels) -> caller.labels().stream().anyMatch(labels::contains);
        };
    if (allowed) {
      return ALLOWED;
    }
    return caller.identity() instanceof Caller.Anonymous
        ? new Refused(Code.UNAUTHORIZED, activity + " needs credentials on this gateway")
        : new Refused(Code.FORBIDDEN, activity + " is not allowed for this identity");
  }

  private static boolean isKnown(Caller caller) {
    return switch (caller.identity()) {
      case Caller.PreSharedKey _, Caller.Certificate _ -> true;
      case Caller.Anonymous(), Caller.RawKey _, Caller.Account _, Caller.Link _, Caller.Broker _ ->
          false;
    };
  }
}
