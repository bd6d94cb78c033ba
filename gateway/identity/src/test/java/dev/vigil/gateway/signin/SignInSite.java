package dev.vigil.gateway.signin;

import dev.vigil.gateway.access.OperatorToken;
import dev.vigil.gateway.accounts.Site;
import dev.vigil.gateway.credentials.LinkSource;
import dev.vigil.gateway.oidc.FakeProvider;
import dev.vigil.gateway.testing.OwnSecrets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A site that also signs in and verifies credentials. */
public final class SignInSite extends Site {
  final Tokens tokens = new Tokens(records, secrets, clock);

  /** Links by their tokens. */
  final Map<String, LinkSource.Found> links = new HashMap<>();

  public final SignIn signIn =
      new SignIn(accounts, sessions, hasher, secrets, OwnSecrets.NONE_SHARED, clock);

  GatewayCredentials credentials(Optional<OperatorToken> operator) {
    return new GatewayCredentials(
        operator,
        accounts,
        tokens,
        sessions,
        FakeProvider.none(clock),
        token -> Optional.ofNullable(links.get(token)),
        clock);
  }
}
