package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.credentials.CheapHasher;
import dev.vigil.gateway.credentials.PasswordHasher;
import dev.vigil.gateway.oidc.OidcProperties;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.MemoryStore;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The accounts, sessions and passkeys of one gateway in an in-memory store. */
public class Site {
  public static final Audit BY_TEST = new Audit("account:test", "test", "");
  public static final InetAddress SOURCE = InetAddress.ofLiteral("192.0.2.1");
  private static final OidcProperties NO_PROVIDER =
      new OidcProperties(null, "", "", "", List.of(), "sub", "groups", List.of(), "");

  public final SettableClock clock;
  public final Accounts accounts;
  public final Sessions sessions;
  public final Passkeys passkeys;
  public final PasswordHasher hasher = CheapHasher.create();
  protected final Records records;
  protected final Secrets secrets = new Secrets(new SecureRandom());

  public Site() {
    this(new MemoryStore(), new SettableClock());
  }

  /** A gateway that shares the store with others. */
  Site(MemoryStore store, SettableClock clock) {
    this.clock = clock;
    records = new Records(store, clock);
    accounts = new Accounts(records, secrets, clock);
    AccountProperties settings = new AccountProperties(true, "", false, null, null, NO_PROVIDER);
    sessions = new Sessions(settings, records, secrets, clock);
    passkeys = new Passkeys(records, accounts, secrets);
  }

  public static AccountChange roles(String... roles) {
    return new AccountChange(Grants.of(List.of(roles)), List.of(), true, null);
  }

  /** The settings of a disabled account with a role. */
  public static AccountChange disabled(String role, String... identities) {
    return new AccountChange(Grants.of(List.of(role)), List.of(identities), false, null);
  }

  /** Creates an account and returns its one-time password. */
  public String create(String name, AccountChange settings) {
    return accounts.create(name, settings, BY_TEST);
  }

  public void change(String name, AccountChange settings) {
    accounts.change(name, settings, OptionalLong.empty(), BY_TEST);
  }

  /** Runs something whenever a passkey that exists is stored again. */
  public void onPasskeyUse(Runnable then) {
    var unused =
        records
            .of("passkey", PasskeyRecord.class)
            .onChange(
                change -> {
                  if (change.before() != null) {
                    then.run();
                  }
                });
  }

  /** Sets a one-time password, as an administrator does, and returns it. */
  public String reset(String name) {
    return accounts.resetPassword(name, OptionalLong.empty(), BY_TEST);
  }

  /** Sets the password of an account, as its user does. */
  public void setPassword(String name, String hash) {
    AccountRecord present = accounts.find(name).orElseThrow();
    var unused = accounts.setPassword(name, present, hash, BY_TEST).orElseThrow();
  }

  public void remove(String name) {
    accounts.remove(name, OptionalLong.empty(), BY_TEST);
  }

  /** Creates an account whose user has already changed the password, and returns the password. */
  public String account(String name, String... roles) {
    String password = "the password of " + name + " is long";
    account(name, hasher.hash(password), roles(roles));
    return password;
  }

  /** Creates an account whose password has a fast hash. */
  public void withFastHash(String name, String password, String role) {
    account(name, PasswordHasher.ofRandom(password), roles(role));
  }

  private void account(String name, String hash, AccountChange settings) {
    create(name, settings);
    setPassword(name, hash);
  }

  /** Begins a session with the present credentials of an account, if the account exists. */
  public String open(String name, @Nullable String client) {
    String credentials = accounts.find(name).map(AccountRecord::presentCredentials).orElse("none");
    return sessions.open(name, credentials, "", new SignInContext(SOURCE, null, null, client));
  }

  public static SignInContext from(InetAddress source) {
    return from(source, null);
  }

  /**
   * @param session the browser's present session
   */
  public static SignInContext from(InetAddress source, @Nullable String session) {
    return new SignInContext(source, null, session, "test");
  }
}
