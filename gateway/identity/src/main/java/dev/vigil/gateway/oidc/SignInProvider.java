package dev.vigil.gateway.oidc;

import dev.vigil.gateway.access.FailedAttemptLimiter;
import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.oidc.PendingSignIns.Pending;
import dev.vigil.gateway.oidc.SignInFailedException.Reason;
import dev.vigil.gateway.store.SharedSecrets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.stereotype.Component;

/** The OpenID Connect provider, if the settings name one. */
@Component
public final class SignInProvider {
  private static final Logger log = LoggerFactory.getLogger(SignInProvider.class);

  /** The path to which the browser returns. */
  public static final String CALLBACK = "/sign-in/callback";

  private static final Pattern ACCOUNT = Pattern.compile("[!-~&&[^/]]{1,128}");
  private static final int CONCURRENT = 8;

  private final OidcProperties settings;
  private final ClaimRoles roles;
  private final PendingSignIns pending;
  private final @Nullable ProviderClient client;
  private final FailedAttemptLimiter failures;
  private final Semaphore exchanges = new Semaphore(CONCURRENT);

  /**
   * A pending sign-in.
   *
   * @param location the address to which the browser is sent
   * @param cookie that the browser returns
   */
  public record Begun(URI location, String cookie) {}

  /**
   * The provider's answer, delivered by the browser.
   *
   * @param cookie of the pending sign-in; null: none
   * @param prefixed whether the cookie's name has the prefix, so that only this host can have set
   *     it
   * @param authority host and port by which the browser reached the gateway
   */
  public record Answer(
      @Nullable String cookie,
      boolean prefixed,
      String authority,
      @Nullable String state,
      @Nullable String code,
      @Nullable String issuer,
      InetAddress source) {}

  /**
   * @throws IOException with a message that begins with "cannot" and names the unusable file
   */
  SignInProvider(OidcProperties settings, SharedSecrets secrets, SecureRandom random, Clock clock)
      throws IOException {
    this.settings = settings;
    this.roles = new ClaimRoles(settings);
    this.pending = new PendingSignIns(secrets.derive("sign-in at a provider"), random, clock);
    URI issuer = settings.issuer();
    this.client = issuer == null ? null : new ProviderClient(settings, issuer, clock);
    this.failures = new FailedAttemptLimiter(clock);
  }

  /** The name on the sign-in page; empty when the settings name no provider. */
  public String title() {
    return settings.title();
  }

  /**
   * The present roles of a person who signed in; empty if the settings now name another provider.
   */
  public Grants grants(ProviderLogin login) {
    URI issuer = settings.issuer();
    return issuer != null && issuer.toString().equals(login.issuer())
        ? roles.grants(login.values())
        : Grants.NONE;
  }

  /** Whether the browser of a sign-in reached the gateway over HTTPS. */
  public boolean isSecure(Answer answer) {
    Pending begun = pending.read(answer.cookie);
    return begun != null && begun.secure();
  }

  /**
   * Begins a sign-in. The gateway keeps no state about it.
   *
   * @param secure whether the browser reaches the gateway over HTTPS
   * @param authority host and port by which the browser reaches the gateway
   * @throws SignInFailedException when the provider cannot be used at present
   */
  public Begun begin(boolean secure, String authority) throws SignInFailedException {
    Pending begun = pending.begin(secure);
    try {
      return new Begun(client().authorization(begun, redirect(begun, authority)), begun.cookie());
    } catch (IOException e) {
      throw new SignInFailedException(Reason.UNAVAILABLE, "the provider cannot be used");
    }
  }

  private ProviderClient client() {
    if (client == null) {
      throw new IllegalStateException("the settings name no provider");
    }
    return client;
  }

  private static String redirect(Pending pending, String authority) {
    return (pending.secure() ? "https://" : "http://") + authority + CALLBACK;
  }

  /**
   * Ends a sign-in.
   *
   * @return a person with a role
   * @throws SignInFailedException in all other cases
   */
  public ProviderAccount finish(Answer answer) throws SignInFailedException {
    if (failures.secondsUntilAllowed(answer.source) > 0) {
      throw new SignInFailedException(Reason.TOO_MANY, "too many failed");
    }
    try {
      return account(verified(answer));
    } catch (SignInFailedException e) {
      // Only these count, because pages of other sites can cause the others through any browser.
      // The operator can fix these causes; the sign-in page names the others.
      if (e.reason() == Reason.INVALID || e.reason() == Reason.NO_ROLE) {
        failures.failed(answer.source);
        log.warn(
            "refused a sign-in through {} from {}: {}",
            settings.issuer(),
            answer.source.getHostAddress(),
            e.getMessage());
      }
      throw e;
    }
  }

  private OidcUser verified(Answer answer) throws SignInFailedException {
    Pending begun = pending.read(answer.cookie);
    String state = answer.state;
    if (begun == null
        || begun.secure() && !answer.prefixed
        || state == null
        || !Secrets.areSame(begun.state(), state)) {
      throw new SignInFailedException(Reason.NOT_BEGUN, "no sign-in of that state has begun");
    }
    String issuer = String.valueOf(settings.issuer());
    if (answer.issuer != null && !answer.issuer.equals(issuer)) {
      throw new SignInFailedException(Reason.INVALID, "another provider has answered");
    }
    if (answer.code == null) {
      throw new SignInFailedException(Reason.REFUSED, "the provider gave no code");
    }
    if (!exchanges.tryAcquire()) {
      throw new SignInFailedException(Reason.UNAVAILABLE, "too many sign-ins at once");
    }
    try {
      return client().exchange(begun, redirect(begun, answer.authority), answer.code, state);
    } catch (IOException e) {
      throw new SignInFailedException(Reason.UNAVAILABLE, "the provider cannot be used");
    } catch (OAuth2AuthenticationException e) {
      throw failure(e);
    } finally {
      exchanges.release();
    }
  }

  /** Distinguishes a provider that became unavailable from a provider that gave a wrong answer. */
  private SignInFailedException failure(OAuth2AuthenticationException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException lost) {
        client().failed(lost);
        return new SignInFailedException(Reason.UNAVAILABLE, "the provider cannot be used");
      }
    }
    return new SignInFailedException(Reason.INVALID, e.getError().toString());
  }

  private ProviderAccount account(OidcUser user) throws SignInFailedException {
    Map<String, Object> claims = user.getClaims();
    if (!(claims.get(settings.accountClaim()) instanceof String name)
        || !ACCOUNT.matcher(name).matches()) {
      throw new SignInFailedException(
          Reason.INVALID,
          "the claim %s is missing or is not an account name".formatted(settings.accountClaim()));
    }
    List<String> values = roles.known(claims);
    if (roles.grants(values).roles().isEmpty()) {
      throw new SignInFailedException(
          Reason.NO_ROLE,
          "vigil.%s.roles contains none of the values that %s has in the claim %s"
              .formatted(OidcProperties.property(), name, settings.rolesClaim()));
    }
    String subject = Objects.requireNonNull(user.getSubject(), "the verifier requires a subject");
    return new ProviderAccount(
        name, new ProviderLogin(String.valueOf(settings.issuer()), subject, values));
  }
}
