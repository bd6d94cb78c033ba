package dev.vigil.directory;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** First-come-first-remembered (RFC 9176 section 7.5): who registered may change. */
final class Owners {
  private static final String CERTIFICATE = "cert:";

  /** Between what a certificate says; never part of it. */
  private static final String SEPARATOR = "\n";

  private Owners() {}

  private static String line(String told) {
    return told.replace(SEPARATOR, " ");
  }

  /** Whether everything that was remembered is found in the new credentials too. */
  private static boolean isSame(String owner, String asking) {
    if (owner.equals(asking) || !owner.startsWith(CERTIFICATE)) {
      return owner.equals(asking);
    }
    List<String> shown = List.of(asking.split(SEPARATOR));
    List<String> remembered = List.of(owner.split(SEPARATOR));
    return shown.getFirst().equals(remembered.getFirst()) && shown.containsAll(remembered);
  }

  /** What is remembered of a caller; empty when it proved nothing. */
  static String of(Caller caller) {
    return switch (caller.identity()) {
      case Caller.Anonymous() -> "";
      case Caller.PreSharedKey(String name) -> "psk:" + name;
      case Caller.RawKey(String thumbprint) -> "rpk:" + thumbprint;
      case Caller.Certificate(String authority, var names) ->
          CERTIFICATE
              + Stream.concat(Stream.of(authority), names.stream().sorted())
                  .map(Owners::line)
                  .collect(Collectors.joining(SEPARATOR));
      case Caller.Account(String name, var roles) -> "account:" + name;
    };
  }

  /**
   * Returns when the caller is the owner, when there is none, or when the caller administers the
   * domain.
   *
   * @throws ExchangeException 4.01 to whoever proved nothing, else 4.03
   */
  static void require(String owner, Caller caller, Access access, String domain) {
    String asking = of(caller);
    if (owner.isEmpty() || isSame(owner, asking)) {
      return;
    }
    boolean mayAnyway =
        switch (access.decide(caller, Access.Action.ADMINISTER, domain)) {
          case Access.Allowed() -> true;
          case Access.Refused(Code code, String reason) -> false;
        };
    if (!mayAnyway) {
      throw new ExchangeException(
          asking.isEmpty() ? Code.UNAUTHORIZED : Code.FORBIDDEN,
          "registered by another, who may change it");
    }
  }
}
