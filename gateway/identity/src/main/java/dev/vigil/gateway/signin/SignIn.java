package dev.vigil.gateway.signin;

import dev.vigil.gateway.access.SealedValues;
import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.accounts.AccountRecord;
import dev.vigil.gateway.accounts.Accounts;
import dev.vigil.gateway.accounts.PasswordRules;
import dev.vigil.gateway.accounts.Sessions;
import dev.vigil.gateway.accounts.SignInContext;
import dev.vigil.gateway.credentials.PasswordHasher;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.store.SharedSecrets;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Checks passwords and begins sessions. */
@Component
public final class SignIn {
  /** Replaces all impossible account names in limits and in the log. */
  private static final String NO_NAME = "(no name of an account)";

  private final Accounts accounts;
  private final Sessions sessions;
  private final PasswordHasher hasher;
  private final Secrets secrets;
  private final SignInLimiter limiter;

  /** Seals the ids of browsers in which an account has signed in. */
  private final SealedValues browsers;

  /**
   * A new session.
   *
   * @param session value of the session cookie
   * @param browser cookie that identifies the browser
   */
  public record Begun(String account, String session, String browser) {}

  /**
   * An account whose password or passkey is verified.
   *
   * @param credentials id of its credentials before the verification ended
   */
  public record Verified(String account, String credentials) {
    @Override
    public String toString() {
      return "Verified[not shown]";
    }
  }

  SignIn(
      Accounts accounts,
      Sessions sessions,
      PasswordHasher hasher,
      Secrets secrets,
      SharedSecrets shared,
      Clock clock) {
    this.accounts = accounts;
    this.sessions = sessions;
    this.hasher = hasher;
    this.secrets = secrets;
    this.limiter = new SignInLimiter(clock);
    this.browsers = new SealedValues(shared.derive("known browsers"));
  }

  /**
   * Begins a session.
   *
   * @throws ProblemException 4.01 when the name or the password is wrong, or the account also
   *     requires a passkey; 4.29 after too many attempts; 5.03 when too many passwords are being
   *     checked
   */
  public Begun signIn(String name, String password, SignInContext context) {
    String account = named(name);
    AccountRecord verified = check(account, password, context);
    if (verified.passkeyDemand() != null) {
      throw new ProblemException(
          ProblemType.PASSKEY_NEEDED,
          "this account signs in with a passkey: use the passkey in addition to the password");
    }
    return begin(account, verified, context);
  }

  /**
   * Checks name and password without beginning a session.
   *
   * @throws ProblemException as above
   */
  public Verified require(String name, String password, SignInContext context) {
    String account = named(name);
    return new Verified(account, check(account, password, context).presentCredentials());
  }

  /** Whether an account is enabled and still has the credentials that were verified. */
  public boolean isPresent(Verified verified) {
    return present(verified.account).filter(verified::equals).isPresent();
  }

  /** An account with its present credentials; empty if it is gone or disabled. */
  public Optional<Verified> present(String account) {
    return accounts
        .find(account)
        .filter(AccountRecord::enabled)
        .map(enabled -> new Verified(account, enabled.presentCredentials()));
  }

  private static String named(String name) {
    return name.strip().toLowerCase(Locale.ROOT);
  }

  /**
   * Replaces a password after checking the present one. The account's sessions end and a new one
   * begins.
   *
   * @throws ProblemException 4.00 when the new password breaks the rules; 4.01 also when the
   *     present one was replaced meanwhile; else as above
   */
  Begun changePassword(String account, String present, String wanted, SignInContext context) {
    PasswordRules.require(account, wanted);
    AccountRecord verified = check(account, present, context);
    if (PasswordHasher.normalized(present).equals(PasswordHasher.normalized(wanted))) {
      throw new ProblemException(
          ProblemType.INVALID_REQUEST, "the new password must differ from the present one");
    }
    Audit audit = new Audit("account:" + account, "changed the password of " + account, "");
    AccountRecord changed =
        accounts
            .setPassword(account, verified, hasher.hash(wanted), audit)
            .orElseThrow(SignIn::wrongPassword);
    sessions.endAll(account);
    return begin(account, changed, context);
  }

  /**
   * @return the account at the time of the check. A session that begins with it ends if the
   *     password changes, even during hashing
   */
  private AccountRecord check(String name, String password, SignInContext context) {
    String account = Accounts.isName(name) ? name : NO_NAME;
    SignInLimiter.Attempt attempt =
        new SignInLimiter.Attempt(
            account, context.source(), browsers.open(account, context.browser()));
    limiter.require(attempt);
    if (password.length() > PasswordRules.MAX) {
      throw new ProblemException(
          ProblemType.INVALID_REQUEST,
          "a password has at most " + PasswordRules.MAX + " characters");
    }
    Optional<AccountRecord> known =
        accounts.find(account).filter(found -> found.enabled() && found.hasPassword());
    String hash = known.map(AccountRecord::password).orElse(null);
    if (!hasher.matches(password, hash, () -> limiter.require(attempt))) {
      limiter.failed(attempt);
      throw wrongPassword();
    }
    AccountRecord verified = known.orElseThrow();
    if (!verified.oneTime() && hasher.isOutdated(verified.password())) {
      accounts.rehash(account, verified, hasher.hash(password));
    }
    return verified;
  }

  private static ProblemException wrongPassword() {
    return new ProblemException(ProblemType.WRONG_PASSWORD, "the name or the password is wrong");
  }

  /**
   * Begins a session after a sign-in with a passkey.
   *
   * @param verified the account before the passkey was verified. The session identifies nobody if
   *     the account's credentials have changed since
   */
  public Begun begin(Verified verified, String passkey, SignInContext context) {
    return open(verified, " with passkey " + passkey, context);
  }

  private Begun begin(String account, AccountRecord verified, SignInContext context) {
    return open(new Verified(account, verified.presentCredentials()), "", context);
  }

  private Begun open(Verified verified, String how, SignInContext context) {
    String session = sessions.open(verified.account, verified.credentials, how, context);
    String browser = browsers.seal(verified.account, secrets.random());
    return new Begun(verified.account, session, browser);
  }
}
