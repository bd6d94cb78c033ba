package dev.vigil.directory;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;

/** First-come-first-remembered (RFC 9176 section 7.5): who registered may change. */
final class Owners {
  private Owners() {}

  /** What is remembered of a caller; empty when it proved nothing. */
  static String of(Caller caller) {
    return switch (caller.identity()) {
      case Caller.Anonymous() -> "";
      case Caller.PreSharedKey(String name) -> "psk:" + name;
      case Caller.RawKey(String thumbprint) -> "rpk:" + thumbprint;
      case Caller.Certificate(String subject) -> "cert:" + subject;
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
    if (owner.isEmpty() || owner.equals(asking)) {
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
