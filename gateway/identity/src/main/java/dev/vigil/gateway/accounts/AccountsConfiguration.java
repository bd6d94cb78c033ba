package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.DomainAccess;
import dev.vigil.gateway.access.FailedAttemptLimiter;
import dev.vigil.gateway.access.OperatorToken;
import dev.vigil.gateway.oidc.SignInProvider;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.store.DataFolder;
import dev.vigil.gateway.webauthn.Ceremonies;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class AccountsConfiguration {
  private static final int MAX_ACCOUNTS = 1000;
  private static final int MAX_SESSIONS = 10_000;
  private static final int MAX_TOKENS = 10_000;
  private static final int MAX_PASSKEYS = 10_000;
  private static final String FIRST_PASSWORD = "admin.password";

  @Bean
  Secrets secrets(SecureRandom random) {
    return new Secrets(random);
  }

  @Bean
  Accounts accounts(Records records, Secrets secrets, Clock clock) {
    return new Accounts(records.of("account", AccountRecord.class, MAX_ACCOUNTS), secrets, clock);
  }

  @Bean
  Sessions sessions(AccountProperties settings, Records records, Secrets secrets, Clock clock) {
    return new Sessions(
        records.of("session", SessionRecord.class, MAX_SESSIONS),
        secrets,
        clock,
        settings.idle(),
        settings.max());
  }

  @Bean
  Tokens tokens(Records records, Secrets secrets, Clock clock) {
    return new Tokens(records.of("token", TokenRecord.class, MAX_TOKENS), secrets, clock);
  }

  @Bean
  GatewayCredentials credentials(
      Optional<OperatorToken> operator,
      Accounts accounts,
      Tokens tokens,
      Sessions sessions,
      SignInProvider provider,
      Clock clock) {
    return new GatewayCredentials(
        operator, accounts, tokens, sessions, provider, new FailedAttemptLimiter(clock));
  }

  @Bean
  AccountRights accountRights(DomainAccess access) {
    return new AccountRights(access);
  }

  @Bean
  PasswordHasher passwordHasher() {
    return new PasswordHasher();
  }

  @Bean
  SignIn signIn(
      Accounts accounts, Sessions sessions, PasswordHasher hasher, Secrets secrets, Clock clock) {
    return new SignIn(
        accounts, sessions, hasher, new SignInLimiter(clock), new KnownBrowsers(secrets));
  }

  @Bean
  Passkeys passkeys(Records records, Accounts accounts, Secrets secrets, Clock clock) {
    return new Passkeys(
        records.of("passkey", PasskeyRecord.class, MAX_PASSKEYS), accounts, secrets, clock);
  }

  @Bean
  PasskeySignIn passkeySignIn(
      Passkeys passkeys, SignIn signIn, Ceremonies ceremonies, Clock clock) {
    return new PasskeySignIn(passkeys, signIn, ceremonies, clock);
  }

  @Bean
  SessionAnswers sessionAnswers(
      Sessions sessions, GatewayCredentials credentials, SignInProvider provider) {
    return new SessionAnswers(sessions, credentials, provider);
  }

  @Bean
  FirstAdministrator firstAdministrator(
      AccountProperties settings,
      DataFolder folder,
      Accounts accounts,
      PasswordHasher hasher,
      Secrets secrets)
      throws IOException {
    FirstAdministrator first =
        new FirstAdministrator(settings, folder.resolve(FIRST_PASSWORD), accounts);
    first.prepare(hasher, secrets);
    return first;
  }
}
