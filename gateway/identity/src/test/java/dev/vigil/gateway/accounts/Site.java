package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.FailedAttemptLimiter;
import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.access.OperatorToken;
import dev.vigil.gateway.oidc.FakeProvider;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.gateway.webauthn.Ceremonies;
import dev.vigil.store.MemoryStore;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Accounts, sessions and tokens in a store in memory, as one gateway has them. */
final class Site {
  static final Audit BY_TEST = new Audit("account:test", "test", "");
  static final InetAddress SOURCE = InetAddress.ofLiteral("192.0.2.1");

  final SettableClock clock;
  final Accounts accounts;
  final Sessions sessions;
  final Tokens tokens;
  final PasswordHasher hasher = new PasswordHasher();
  final SignIn signIn;
  final Passkeys passkeys;
  final Ceremonies ceremonies;
  final PasskeySignIn passkeySignIn;

  Site() {
    this(new MemoryStore(), new SettableClock());
  }

  /** A gateway that shares the store with others. */
  Site(MemoryStore store, SettableClock clock) {
    this.clock = clock;
    Records records = new Records(store, clock);
    Secrets secrets = new Secrets(new SecureRandom());
    accounts = new Accounts(records.of("account", AccountRecord.class), secrets, clock);
    sessions =
        new Sessions(
            records.of("session", SessionRecord.class),
            secrets,
            clock,
            Duration.ofMinutes(30),
            Duration.ofHours(12));
    tokens = new Tokens(records.of("token", TokenRecord.class), secrets, clock);
    signIn =
        new SignIn(
            accounts, sessions, hasher, new SignInLimiter(clock), new KnownBrowsers(secrets));
    passkeys = new Passkeys(records.of("passkey", PasskeyRecord.class), accounts, secrets, clock);
    ceremonies = new Ceremonies(new SecureRandom(), clock);
    passkeySignIn = new PasskeySignIn(passkeys, signIn, ceremonies, clock);
  }

  GatewayCredentials credentials(Optional<OperatorToken> operator) {
    return new GatewayCredentials(
        operator,
        accounts,
        tokens,
        sessions,
        FakeProvider.none(clock),
        new FailedAttemptLimiter(clock));
  }

  static AccountChange roles(String... roles) {
    return new AccountChange(Grants.of(List.of(roles)), List.of(), true, null);
  }

  /** Makes an account whose password the user has changed already, and returns the password. */
  String account(String name, String... roles) {
    accounts.create(name, roles(roles), BY_TEST);
    String password = "the password of " + name + " is long";
    accounts.setPassword(name, hasher.hash(password), BY_TEST);
    return password;
  }

  /** A session that begins with the present credentials of an account, if there is one. */
  String open(String name, @Nullable String client) {
    String credentials = accounts.find(name).map(AccountRecord::presentCredentials).orElse("none");
    return sessions.open(name, credentials, "", new Place(SOURCE, null, null, client));
  }

  static Place from(InetAddress source) {
    return from(source, null);
  }

  /**
   * @param session that the browser has already
   */
  static Place from(InetAddress source, @Nullable String session) {
    return new Place(source, null, session, "test");
  }
}
