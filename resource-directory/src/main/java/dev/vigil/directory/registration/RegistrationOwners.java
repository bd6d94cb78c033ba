package dev.vigil.directory.registration;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.directory.lookup.LinkLocalScope;
import dev.vigil.directory.publishing.Registrant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * First-come-first-remembered (RFC 9176 section 7.5): only the registrant may change its
 * registration. Credentials are remembered; without credentials, the source address is remembered
 * without its port, which a NAT may change.
 */
final class RegistrationOwners {
  private static final String CERTIFICATE = "cert:";

  /** Separates the names of a certificate; {@link #singleLine} removes it from the names. */
  private static final String SEPARATOR = "\n";

  private RegistrationOwners() {}

  private static String singleLine(String name) {
    return name.replace(SEPARATOR, " ");
  }

  /** Whether the caller's credentials contain everything that was remembered about the owner. */
  private static boolean matches(String owner, String credentials) {
    if (owner.equals(credentials) || !owner.startsWith(CERTIFICATE)) {
      return owner.equals(credentials);
    }
    List<String> shown = List.of(credentials.split(SEPARATOR));
    List<String> remembered = List.of(owner.split(SEPARATOR));
    return shown.getFirst().equals(remembered.getFirst()) && shown.containsAll(remembered);
  }

  /** The remembered form of a caller. */
  static Registrant registrant(Caller caller) {
    return new Registrant(
        of(caller), SourceAddress.of(caller), LinkLocalScope.of(caller), caller.verified());
  }

  /** The remembered form of a caller's credentials; empty for an anonymous caller. */
  private static String of(Caller caller) {
    return switch (caller.identity()) {
      case Caller.Anonymous() -> "";
      case Caller.PreSharedKey(String name) -> "psk:" + name;
      case Caller.RawKey(String thumbprint) -> Registrant.ownerByRawKey(thumbprint);
      case Caller.Certificate(String authority, var names) ->
          CERTIFICATE
              + Stream.concat(Stream.of(authority), names.stream().sorted())
                  .map(RegistrationOwners::singleLine)
                  .collect(Collectors.joining(SEPARATOR));
      case Caller.Account(String name, var roles) -> "account:" + name;
      case Caller.Link link -> link.maker().name() + "/link:" + link.name();
      case Caller.Broker(String name) -> "mqtt:" + name;
    };
  }

  /**
   * Returns if the caller is the registrant or operates the domain.
   *
   * @throws ErrorResponseException 4.01 for an anonymous caller if credentials are remembered, else
   *     4.03
   */
  static void require(Registrant registrant, Caller caller, Access access, String domain) {
    boolean same =
        registrant.owner().isEmpty()
            ? registrant.isAt(SourceAddress.of(caller), LinkLocalScope.of(caller))
            : matches(registrant.owner(), of(caller));
    if (same || operates(caller, access, domain)) {
      return;
    }
    if (registrant.owner().isEmpty()) {
      throw new ErrorResponseException(
          Code.FORBIDDEN,
          "this endpoint was registered from another address, and only that address may change it"
              + " until its lifetime ends or an operator removes it");
    }
    throw new ErrorResponseException(
        of(caller).isEmpty() ? Code.UNAUTHORIZED : Code.FORBIDDEN,
        "another client registered this endpoint, and only that client may change it");
  }

  private static boolean operates(Caller caller, Access access, String domain) {
    return switch (access.decide(caller, Access.Action.OPERATE, domain)) {
      case Access.Allowed() -> true;
      case Access.Refused(Code code, String reason) -> false;
    };
  }
}
