package dev.vigil.gateway.oidc;

import dev.vigil.gateway.files.SecretFile;
import dev.vigil.gateway.oidc.PendingSignIns.Pending;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
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
 * The gateway as a client of the provider. The provider's metadata are read when they are first
 * needed, and again every hour, so that a provider that is away stops no start.
 */
final class ProviderClient {
  private static final Logger log = LoggerFactory.getLogger(ProviderClient.class);
  private static final Duration KEPT = Duration.ofHours(1);

  /** The pause after a provider that did not answer. */
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final OidcProperties settings;
  private final URI issuer;
  private final ProviderDiscovery discovery;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  private record Known(ProviderEndpoints endpoints, Instant at) {}

  private volatile @Nullable Known known;

  /** Guarded by the lock. */
  private Instant retryAt = Instant.MIN;

  /** Guarded by the lock. */
  private boolean failing;

  /**
   * @throws IOException begins with "cannot" and names the file that cannot be used
   */
  ProviderClient(OidcProperties settings, URI issuer, Clock clock) throws IOException {
    this.settings = settings;
    this.issuer = issuer;
    this.clock = clock;
    this.discovery =
        new ProviderDiscovery(settings, issuer, new ProviderHttp(settings.ca()), clock);
    secret();
  }

  /** Read for each sign-in, so that a new secret needs no restart. */
  private String secret() throws IOException {
    return settings.clientSecretFile().isEmpty()
        ? ""
        : SecretFile.read(
            OidcProperties.property() + ".client-secret-file",
            "secret",
            settings.clientSecretFile());
  }

  /**
   * The provider's address to which the browser goes.
   *
   * @param redirect where the browser comes back to
   * @throws IOException when the provider cannot be used at present
   */
  URI authorization(Pending pending, String redirect) throws IOException {
    return URI.create(
        request(endpoints().registration(), pending, redirect).getAuthorizationRequestUri());
  }

  /**
   * Exchanges the code of the provider's answer, and checks the ID token.
   *
   * @throws IOException when the provider cannot be used at present
   * @throws OAuth2AuthenticationException when the answer does not prove who it is
   */
  OidcUser exchange(Pending pending, String redirect, String code, String state)
      throws IOException {
    ProviderEndpoints endpoints = endpoints();
    String secret = secret();
    ClientRegistration registration =
        secret.isEmpty()
            ? endpoints.registration()
            : ClientRegistration.withClientRegistration(endpoints.registration())
                .clientSecret(secret)
                .build();
    OAuth2AuthorizationResponse answer =
        OAuth2AuthorizationResponse.success(code).redirectUri(redirect).state(state).build();
    OAuth2AuthorizationExchange exchange =
        new OAuth2AuthorizationExchange(request(registration, pending, redirect), answer);
    @Nullable Authentication proven;
    try {
      proven =
          endpoints
              .verifier()
              .authenticate(new OAuth2LoginAuthenticationToken(registration, exchange));
    } catch (IllegalArgumentException | ClassCastException e) {
      // Spring Security asserts that tokens and user info have the members of OpenID Connect.
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
              parameters.put(OidcParameterNames.NONCE, hash(pending.nonce()));
              parameters.put(PkceParameterNames.CODE_CHALLENGE, hash(pending.verifier()));
              parameters.put(PkceParameterNames.CODE_CHALLENGE_METHOD, "S256");
            })
        .build();
  }

  /** The form in which the provider sees a nonce or verifier before the exchange: SHA-256. */
  private static String hash(String secret) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              MessageDigest.getInstance("SHA-256")
                  .digest(secret.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private ProviderEndpoints endpoints() throws IOException {
    Known present = known;
    if (present != null && clock.instant().isBefore(present.at.plus(KEPT))) {
      return present.endpoints;
    }
    lock.lock();
    try {
      return refreshed();
    } finally {
      lock.unlock();
    }
  }

  private ProviderEndpoints refreshed() throws IOException {
    Known present = known;
    Instant now = clock.instant();
    if (present != null && now.isBefore(present.at.plus(KEPT))) {
      return present.endpoints;
    }
    if (now.isBefore(retryAt) && Duration.between(now, retryAt).compareTo(RETRY) <= 0) {
      throw new IOException("the provider did not answer a moment ago");
    }
    try {
      ProviderEndpoints endpoints = discovery.read();
      known = new Known(endpoints, now);
      answers();
      return endpoints;
    } catch (IOException e) {
      retryAt = now.plus(RETRY);
      failed(e);
      throw e;
    }
  }

  private void answers() {
    if (failing) {
      failing = false;
      log.info("the sign-in provider {} answers again", issuer);
    }
  }

  /** Tells it once, until the provider answers again. */
  void failed(IOException problem) {
    lock.lock();
    try {
      if (!failing) {
        failing = true;
        log.warn(
            "cannot use the sign-in provider {}: {}; signing in with passwords goes on",
            issuer,
            problem.getMessage());
      }
      known = null;
    } finally {
      lock.unlock();
    }
  }
}
