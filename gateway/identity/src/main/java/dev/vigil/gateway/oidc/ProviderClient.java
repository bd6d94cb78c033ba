package dev.vigil.gateway.oidc;

import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.files.SecretFile;
import dev.vigil.gateway.oidc.PendingSignIns.Pending;
import dev.vigil.gateway.oidc.ProviderDiscovery.Provider;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.authentication.OAuth2LoginAuthenticationToken;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationExchange;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationResponse;
import org.springframework.security.oauth2.core.endpoint.PkceParameterNames;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

/**
 * The gateway as a client of the provider. It reads the provider's metadata at the first use and
 * again every hour, so that an unavailable provider does not prevent startup.
 */
final class ProviderClient {
  private static final Logger log = LoggerFactory.getLogger(ProviderClient.class);
  private static final Duration KEPT = Duration.ofHours(1);

  /** The pause after the provider did not answer. */
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final OidcProperties settings;
  private final URI issuer;
  private final ProviderDiscovery discovery;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private @Nullable Provider known;

  /** Guarded by the lock. */
  private Instant retryAt = Instant.MIN;

  /** Guarded by the lock. */
  private boolean failing;

  /**
   * @throws IOException with a message that begins with "cannot" and names the unusable file
   */
  ProviderClient(OidcProperties settings, URI issuer, Clock clock) throws IOException {
    this.settings = settings;
    this.issuer = issuer;
    this.clock = clock;
    this.discovery =
        new ProviderDiscovery(settings, issuer, new ProviderHttp(settings.ca()), clock);
    secret();
  }

  /** Reads the file for each sign-in, so that a new secret needs no restart. */
  private String secret() throws IOException {
    return settings.clientSecretFile().isEmpty()
        ? ""
        : SecretFile.read(
            OidcProperties.property() + ".client-secret-file",
            "secret",
            settings.clientSecretFile());
  }

  /**
   * The address at the provider to which the browser is sent.
   *
   * @param redirect the address to which the browser returns
   * @throws IOException when the provider cannot be used at present
   */
  URI authorization(Pending pending, String redirect) throws IOException {
    return URI.create(
        request(provider().registration(), pending, redirect).getAuthorizationRequestUri());
  }

  /**
   * Exchanges the code of the provider's answer, and checks the ID token.
   *
   * @throws IOException when the provider cannot be used at present
   * @throws OAuth2AuthenticationException when the answer does not prove the person's identity
   */
  OidcUser exchange(Pending pending, String redirect, String code, String state)
      throws IOException {
    Provider provider = provider();
    String secret = secret();
    ClientRegistration registration =
        secret.isEmpty()
            ? provider.registration()
            : ClientRegistration.withClientRegistration(provider.registration())
                .clientSecret(secret)
                .build();
    OAuth2AuthorizationResponse answer =
        OAuth2AuthorizationResponse.success(code).redirectUri(redirect).state(state).build();
    OAuth2AuthorizationExchange exchange =
        new OAuth2AuthorizationExchange(request(registration, pending, redirect), answer);
    @Nullable Authentication proven;
    try {
      proven =
          provider
              .verifier()
              .authenticate(new OAuth2LoginAuthenticationToken(registration, exchange));
    } catch (IllegalArgumentException | ClassCastException e) {
      // Spring Security asserts that tokens and user info have the required members.
      throw new OAuth2AuthenticationException(
          new OAuth2Error(
              OAuth2ErrorCodes.SERVER_ERROR,
              "ID token or user info lacks a member, or it has the wrong type: " + e.getMessage(),
              null),
          e);
    }
    if (proven != null && proven.getPrincipal() instanceof OidcUser user) {
      return user;
    }
    throw new IllegalStateException("the verifier proves OpenID Connect users or throws");
  }

  private static OAuth2AuthorizationRequest request(
      ClientRegistration registration, Pending pending, String redirect) {
    return OAuth2AuthorizationRequest.authorizationCode()
        .clientId(registration.getClientId())
        .authorizationUri(ProviderDiscovery.authorization(registration))
        .redirectUri(redirect)
        .scopes(registration.getScopes())
        .state(pending.state())
        .attributes(
            attributes -> {
              attributes.put(OidcParameterNames.NONCE, pending.nonce());
              attributes.put(PkceParameterNames.CODE_VERIFIER, pending.verifier());
            })
        .additionalParameters(
            parameters -> {
              parameters.put(OidcParameterNames.NONCE, Secrets.hash(pending.nonce()));
              parameters.put(PkceParameterNames.CODE_CHALLENGE, Secrets.hash(pending.verifier()));
              parameters.put(PkceParameterNames.CODE_CHALLENGE_METHOD, "S256");
            })
        .build();
  }

  private Provider provider() throws IOException {
    lock.lock();
    try {
      Instant now = clock.instant();
      if (known != null && now.isBefore(known.readAt().plus(KEPT))) {
        return known;
      }
      if (now.isBefore(retryAt) && Duration.between(now, retryAt).compareTo(RETRY) <= 0) {
        throw new IOException("the provider did not answer a moment ago");
      }
      Provider read = read();
      known = read;
      if (failing) {
        failing = false;
        log.info("the sign-in provider {} answers again", issuer);
      }
      return read;
    } catch (IOException e) {
      failed(e);
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private Provider read() throws IOException {
    // The pause begins when the attempt ends: a provider may take seconds without an answer.
    boolean answered = false;
    try {
      Provider read = discovery.read();
      answered = true;
      return read;
    } finally {
      retryAt = answered ? Instant.MIN : clock.instant().plus(RETRY);
    }
  }

  /** Logs a failure once, until the provider answers again. */
  void failed(IOException problem) {
    lock.lock();
    try {
      if (!failing) {
        failing = true;
        log.warn(
            "cannot use the sign-in provider {}: {}; signing in with passwords still works",
            issuer,
            problem.getMessage());
      }
      known = null;
    } finally {
      lock.unlock();
    }
  }
}
