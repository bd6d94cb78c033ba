package dev.vigil.directory.registration;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** First-come-first-remembered (RFC 9176 section 7.5): only the registrant may change. */
final class RegistrationOwners {
  private static final String CERTIFICATE = "cert:";

  /** Separates the names of a certificate; {@link #singleLine} keeps it out of them. */
  private static final String SEPARATOR = "\n";

  private RegistrationOwners() {}

  private static String singleLine(String name) {
    return name.replace(SEPARATOR, " ");
  }

  /** Whether the caller's credentials contain everything that was remembered of the owner's. */
  private static boolean matches(String owner, String credentials) {
    if (owner.equals(credentials) || !owner.startsWith(CERTIFICATE)) {
      return owner.equals(credentials);
    }
    List<String> shown = List.of(credentials.split(SEPARATOR));
    List<String> remembered = List.of(owner.split(SEPARATOR));
    return shown.getFirst().equals(remembered.getFirst()) && shown.containsAll(remembered);
  }

  /** A caller's credentials as they are remembered; empty for an anonymous caller. */
  static String of(Caller caller) {
    return switch (caller.identity()) {
      case Caller.Anonymous() -> "";
      case Caller.PreSharedKey(String name) -> "psk:" + name;
      case Caller.RawKey(String thumbprint) -> "rpk:" + thumbprint;
      case Caller.Certificate(String authority, var names) ->
          CERTIFICATE
              + Stream.concat(Stream.of(authority), names.stream().sorted())
                  .map(RegistrationOwners::singleLine)
                  .collect(Collectors.joining(SEPARATOR));
      case Caller.Account(String name, var roles) -> "account:" + name;
    };
  }

  /**
   * Returns when the caller is the owner, when there is none, or when the caller administers the
   * domain.
   *
   * @throws ErrorResponseException 4.01 for an anonymous caller, else 4.03
   */
  static void require(String owner, Caller caller, Access access, String domain) {
    String credentials = of(caller);
    if (owner.isEmpty() || matches(owner, credentials)) {
      return;
    }
    boolean administers =
        switch (access.decide(caller, Access.Action.ADMINISTER, domain)) {
          case Access.Allowed() -> true;
          case Access.Refused(Code code, String reason) -> false;
        };
    if (!administers) {
      throw new ErrorResponseException(
          credentials.isEmpty() ? Code.UNAUTHORIZED : Code.FORBIDDEN,
          "another client registered this endpoint, and only that client may change it");
    }
  }
}
