package dev.vigil.gateway.oidc;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.oidc.authentication.OidcAuthorizationCodeAuthenticationProvider;
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenValidator;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.userinfo.DefaultOAuth2UserService;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.oidc.OidcScopes;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.web.client.RestClientException;
import org.springframework.web.client.RestClientResponseException;

/** Reads the provider's metadata (OpenID Connect Discovery 1.0). */
final class ProviderDiscovery {
  private static final String METADATA = "/.well-known/openid-configuration";
  private static final List<String> ADDRESSES =
      List.of("authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint");

  private final OidcProperties settings;
  private final URI issuer;
  private final ProviderHttp http;
  private final Clock clock;

  /**
   * A provider, built from its metadata.
   *
   * @param registration the gateway's client registration, without its secret
   * @param verifier exchanges codes and checks ID tokens
   */
  record Provider(
      ClientRegistration registration, AuthenticationProvider verifier, Instant readAt) {}

  ProviderDiscovery(OidcProperties settings, URI issuer, ProviderHttp http, Clock clock) {
    this.settings = settings;
    this.issuer = issuer;
    this.http = http;
    this.clock = clock;
  }

  /**
   * @throws IOException when the provider does not answer, or has another issuer identifier
   */
  Provider read() throws IOException {
    try {
      ClientRegistration registration = registration(metadata());
      return new Provider(registration, verifier(registration), clock.instant());
    } catch (RestClientResponseException e) {
      throw new IOException("it answered " + e.getStatusCode().value(), e);
    } catch (RestClientException | IllegalArgumentException | IllegalStateException e) {
      throw new IOException(String.valueOf(e.getMessage()), e);
    }
  }

  private Map<String, Object> metadata() throws IOException {
    URI address = URI.create(issuer.toString().replaceAll("/$", "") + METADATA);
    @Nullable Map<String, Object> metadata =
        http.documents()
            .exchange(
                address,
                HttpMethod.GET,
                null,
                new ParameterizedTypeReference<Map<String, Object>>() {})
            .getBody();
    if (metadata == null) {
      throw new IOException("it has no metadata at " + address);
    }
    if (!issuer.toString().equals(metadata.get("issuer"))) {
      throw new IOException(
          "its issuer identifier is \"%s\": set vigil.%s.issuer to that"
              .formatted(metadata.get("issuer"), OidcProperties.property()));
    }
    for (String name : ADDRESSES) {
      if ("https".equals(issuer.getScheme())
          && metadata.get(name) instanceof String text
          && !text.startsWith("https://")) {
        throw new IOException("its " + name + " is not encrypted: " + text);
      }
    }
    return metadata;
  }

  private ClientRegistration registration(Map<String, Object> metadata) {
    List<String> scopes = new ArrayList<>(List.of(OidcScopes.OPENID));
    scopes.addAll(settings.scopes());
    ClientRegistration.Builder builder =
        ClientRegistrations.fromOidcConfiguration(metadata)
            .registrationId("provider")
            .clientId(settings.clientId())
            .scope(scopes)
            // The request of each sign-in contains its own address; this placeholder is never used.
            .redirectUri("{baseUrl}");
    if (settings.clientSecretFile().isEmpty()) {
      builder.clientAuthenticationMethod(ClientAuthenticationMethod.NONE);
    }
    return builder.build();
  }

  static String authorization(ClientRegistration registration) {
    return required(
        registration.getProviderDetails().getAuthorizationUri(), "authorization_endpoint");
  }

  private static String required(@Nullable String address, String name) {
    if (address == null) {
      throw new IllegalArgumentException("its metadata have no " + name);
    }
    return address;
  }

  private AuthenticationProvider verifier(ClientRegistration registration) {
    RestClientAuthorizationCodeTokenResponseClient tokens =
        new RestClientAuthorizationCodeTokenResponseClient();
    tokens.setRestClient(http.tokens());
    DefaultOAuth2UserService userInfo = new DefaultOAuth2UserService();
    userInfo.setRestOperations(http.documents());
    OidcUserService users = new OidcUserService();
    users.setOauth2UserService(userInfo);
    users.setRetrieveUserInfo(
        request ->
            request.getClientRegistration().getProviderDetails().getUserInfoEndpoint().getUri()
                != null);
    OidcAuthorizationCodeAuthenticationProvider verifier =
        new OidcAuthorizationCodeAuthenticationProvider(tokens, users);
    JwtDecoder decoder = decoder(registration);
    verifier.setJwtDecoderFactory(any -> decoder);
    return verifier;
  }

  private JwtDecoder decoder(ClientRegistration registration) {
    NimbusJwtDecoder decoder =
        NimbusJwtDecoder.withJwkSetUri(
                required(registration.getProviderDetails().getJwkSetUri(), "jwks_uri"))
            .restOperations(http.documents())
            .jwsAlgorithms(accepted -> accepted.addAll(algorithms(registration)))
            .build();
    OidcIdTokenValidator claims = new OidcIdTokenValidator(registration);
    claims.setClock(clock);
    decoder.setJwtValidator(claims);
    return decoder;
  }

  /** The algorithms with public keys that the provider may use for signatures. */
  private static Set<SignatureAlgorithm> algorithms(ClientRegistration registration) {
    Object supported =
        registration
            .getProviderDetails()
            .getConfigurationMetadata()
            .get("id_token_signing_alg_values_supported");
    Set<SignatureAlgorithm> algorithms = EnumSet.noneOf(SignatureAlgorithm.class);
    if (supported instanceof List<?> names) {
      for (Object name : names) {
        @Nullable SignatureAlgorithm algorithm = SignatureAlgorithm.from(String.valueOf(name));
        if (algorithm != null) {
          algorithms.add(algorithm);
        }
      }
    }
    return algorithms.isEmpty() ? EnumSet.of(SignatureAlgorithm.RS256) : algorithms;
  }
}
