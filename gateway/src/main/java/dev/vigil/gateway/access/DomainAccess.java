package dev.vigil.gateway.access;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;

/**
 * Registering is open, because what sleepy endpoints send is signed; reading is open to everyone or
 * to those who proved who they are; administering is for accounts.
 */
public final class DomainAccess implements Access {
  private static final Decision ALLOWED = new Allowed();

  private final boolean anonymousRead;

  public DomainAccess(boolean anonymousRead) {
    this.anonymousRead = anonymousRead;
  }

  @Override
  public Decision decide(Caller caller, Action action, String domain) {
    return switch (action) {
      case REGISTER -> ALLOWED;
      case LOOK_UP, READ -> anonymousRead ? ALLOWED : identified(caller, "reading");
      // Who may command is decided by the signature of the command; this is about delivering it.
      case COMMAND -> anonymousRead ? ALLOWED : identified(caller, "commanding");
      case ADMINISTER -> account(caller);
    };
  }

  private static Decision identified(Caller caller, String what) {
    return switch (caller.identity()) {
      case Caller.Anonymous() ->
          new Refused(Code.UNAUTHORIZED, what + " needs credentials on this gateway");
      case Caller.PreSharedKey _, Caller.Certificate _, Caller.Account _ -> ALLOWED;
      case Caller.RawKey _ -> new Refused(Code.FORBIDDEN, "this identity may not do that");
    };
  }

  private static Decision account(Caller caller) {
    return switch (caller.identity()) {
      case Caller.Account _ -> ALLOWED;
      case Caller.Anonymous() -> new Refused(Code.UNAUTHORIZED, "this needs an account");
      case Caller.PreSharedKey _, Caller.RawKey _, Caller.Certificate _ ->
          new Refused(Code.FORBIDDEN, "this needs an account");
    };
  }
}
