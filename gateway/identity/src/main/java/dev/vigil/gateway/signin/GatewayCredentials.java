package dev.vigil.gateway.signin;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.access.FailedAttemptLimiter;
import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.access.OperatorToken;
import dev.vigil.gateway.accounts.Accounts;
import dev.vigil.gateway.accounts.OwnerGrants;
import dev.vigil.gateway.accounts.SessionRecord;
import dev.vigil.gateway.accounts.Sessions;
import dev.vigil.gateway.credentials.CredentialVerifier;
import dev.vigil.gateway.credentials.Credentials;
import dev.vigil.gateway.credentials.LinkSource;
import dev.vigil.gateway.oidc.SignInProvider;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.net.InetAddress;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Verifies the operator's token, API tokens, tokens of links and sessions. */
@Component
final class GatewayCredentials implements CredentialVerifier {
  private static final Logger log = LoggerFactory.getLogger(GatewayCredentials.class);
  private static final String SCHEME = "Bearer ";

  private final Optional<OperatorToken> operator;
  private final Accounts accounts;
  private final Tokens tokens;
  private final Sessions sessions;
  private final SignInProvider provider;
  private final LinkSource links;
  private final OwnerGrants owners;
  private final FailedAttemptLimiter attempts;

  /**
   * The present rights of a session's account.
   *
   * @param oneTime whether the user must first change the one-time password
   */
  record SessionRights(Grants grants, boolean oneTime) {}

  GatewayCredentials(
      Optional<OperatorToken> operator,
      Accounts accounts,
      Tokens tokens,
      Sessions sessions,
      SignInProvider provider,
      LinkSource links,
      Clock clock) {
    this.operator = operator;
    this.accounts = accounts;
    this.tokens = tokens;
    this.sessions = sessions;
    this.provider = provider;
    this.links = links;
    this.owners = new OwnerGrants(operator, accounts);
    this.attempts = new FailedAttemptLimiter(clock);
  }

  /**
   * Accepts valid tokens even from a limited source, so that nobody can lock out the tokens'
   * owners.
   */
  @Override
  public Caller.Identity identify(Credentials credentials, InetAddress source) {
    String authorization = credentials.authorization();
    if (authorization == null) {
      String session = credentials.session();
      return session == null
          ? new Caller.Anonymous()
          : sessions.use(session).map(s -> ofSession(s.value())).orElse(new Caller.Anonymous());
    }
    Caller.Identity identity = ofHeader(authorization);
    if (identity == null) {
      long seconds = attempts.secondsUntilAllowed(source);
      if (seconds > 0) {
        log.warn("{} sent too many wrong tokens within a minute", source.getHostAddress());
        throw new ProblemException(
            ProblemType.TOO_MANY_REQUESTS, "too many wrong credentials from this address", seconds);
      }
      attempts.failed(source);
      throw new ProblemException(
          ProblemType.INVALID_CREDENTIALS, "the credentials are not valid on this gateway");
    }
    return identity;
  }

  @Override
  public boolean needNewPassword(Credentials credentials) {
    String session = credentials.session();
    return credentials.authorization() == null
        && session != null
        && sessions
            .find(session)
            .flatMap(s -> rights(s.value()))
            .filter(SessionRights::oneTime)
            .isPresent();
  }

  @Override
  public boolean areValid(Credentials credentials, Caller.Identity identity) {
    String authorization = credentials.authorization();
    String session = credentials.session();
    Caller.Identity present =
        authorization != null
            ? ofHeader(authorization)
            : session == null
                ? null
                : sessions.find(session).map(s -> ofSession(s.value())).orElse(null);
    return identity.equals(present);
  }

  private Caller.@Nullable Identity ofHeader(String authorization) {
    if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return null;
    }
    String presented = authorization.substring(SCHEME.length()).strip();
    if (operator.isPresent() && operator.get().is(presented)) {
      return OperatorToken.IDENTITY;
    }
    if (!presented.startsWith(Tokens.PREFIX)) {
      return null;
    }
    Optional<TokenRecord> token = tokens.find(presented);
    return token.isPresent()
        ? ofToken(token.get())
        : links.find(presented).map(this::ofLink).orElse(null);
  }

  /** Null when the token has expired or its account is disabled. */
  private Caller.@Nullable Identity ofToken(TokenRecord token) {
    Grants owner = owners.of(token.owner(), token.ownerMade(), token.createdAt());
    if (owner == null || tokens.isExpired(token)) {
      return null;
    }
    return new Caller.Account(
        token.owner() + "/" + token.name(), token.grants().and(owner).texts());
  }

  /** Null when the account of its maker is disabled. */
  private Caller.@Nullable Identity ofLink(LinkSource.Found link) {
    Grants maker = owners.of(link.maker(), link.makerMade(), link.createdAt());
    return maker == null
        ? null
        : new Caller.Link(
            link.object(), link.name(), new Caller.Account(link.maker(), maker.texts()));
  }

  /** Returns nobody while the password is a one-time password. */
  private Caller.Identity ofSession(SessionRecord session) {
    return rights(session)
        .filter(rights -> !rights.oneTime())
        .<Caller.Identity>map(
            rights -> new Caller.Account(session.account(), rights.grants().texts()))
        .orElse(new Caller.Anonymous());
  }

  /** The rights of a session; empty when its account may no longer be used. */
  Optional<SessionRights> rights(SessionRecord session) {
    if (session.login() != null) {
      return Optional.of(provider.grants(session.login()))
          .filter(grants -> !grants.roles().isEmpty())
          .map(grants -> new SessionRights(grants, false));
    }
    return accounts
        .find(session.account())
        .filter(account -> account.permits(session))
        .map(account -> new SessionRights(account.grants(), account.oneTime()));
  }
}
