package dev.vigil.gateway.oidc;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.vigil.gateway.testing.OwnSecrets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.EllipticCurveJsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;

/** A provider that can put lies into its ID tokens, unlike a real provider. */
public final class FakeProvider implements AutoCloseable {
  private static final String CLIENT = "vigil";
  private static final EllipticCurveJsonWebKey KEY = key();

  private final Clock clock;
  private final HttpServer server;
  private Map<String, String> asked = Map.of();

  /** Requests for tokens and metadata, by path. */
  final List<String> requests = new ArrayList<>();

  /** Changes the claims of ID tokens. */
  Consumer<JwtClaims> lie = claims -> {};

  /** The key that signs ID tokens. */
  EllipticCurveJsonWebKey signer = KEY;

  /** The provider's user info about a person; empty: the provider has no user info. */
  String userInfo = "";

  boolean isAway;

  /** Runs before each answer. */
  Runnable delay = () -> {};

  FakeProvider(Clock clock) {
    this.clock = clock;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    server.createContext("/", this::answer);
    server.start();
  }

  static EllipticCurveJsonWebKey key() {
    try {
      EllipticCurveJsonWebKey key = EcJwkGenerator.generateJwk(EllipticCurves.P256);
      key.setKeyId("one");
      return key;
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  String issuer() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  OidcProperties settings() {
    return new OidcProperties(
        URI.create(issuer()),
        CLIENT,
        "",
        "Plant login",
        List.of("profile"),
        "preferred_username",
        "groups",
        List.of(new OidcProperties.ValueRoles("crew", List.of("operator:plant"))),
        "");
  }

  /** The sign-in provider of a gateway whose settings name none. */
  public static SignInProvider none(Clock clock) {
    OidcProperties settings =
        new OidcProperties(null, "", "", "", List.of(), "sub", "groups", List.of(), "");
    try {
      return new SignInProvider(settings, OwnSecrets.NONE_SHARED, new SecureRandom(), clock);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Acts as the browser at the provider, which issues a code; returns the received parameters. */
  Map<String, String> authorize(URI location) {
    asked = parameters(location.getRawQuery());
    return asked;
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new HashMap<>();
    Arrays.stream(query.split("&"))
        .map(part -> part.split("=", 2))
        .forEach(
            part -> parameters.put(part[0], URLDecoder.decode(part[1], StandardCharsets.UTF_8)));
    return parameters;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    requests.add(path);
    delay.run();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String answer =
        switch (path) {
          case "/.well-known/openid-configuration" -> metadata();
          case "/jwks" -> "{\"keys\":[" + KEY.toJson() + "]}";
          case "/token" -> token(parameters(body));
          case "/userinfo" -> userInfo;
          default -> "";
        };
    byte[] octets = answer.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(isAway ? 503 : octets.length == 0 ? 400 : 200, octets.length);
    exchange.getResponseBody().write(octets);
    exchange.close();
  }

  private String metadata() {
    return """
        {"issuer":"%1$s","authorization_endpoint":"%1$s/auth","token_endpoint":"%1$s/token",
        "jwks_uri":"%1$s/jwks",%2$s"response_types_supported":["code"],
        "subject_types_supported":["public"],"id_token_signing_alg_values_supported":["ES256"]}"""
        .formatted(
            issuer(),
            userInfo.isEmpty() ? "" : "\"userinfo_endpoint\":\"%s/userinfo\",".formatted(issuer()));
  }

  /**
   * Returns an empty text, and thereby an error, when the verifier does not match the sent hash
   * (RFC 7636).
   */
  private String token(Map<String, String> request) {
    try {
      byte[] verifier = request.getOrDefault("code_verifier", "").getBytes(StandardCharsets.UTF_8);
      String challenge =
          Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString(MessageDigest.getInstance("SHA-256").digest(verifier));
      return challenge.equals(asked.get("code_challenge"))
              && String.valueOf(asked.get("redirect_uri")).equals(request.get("redirect_uri"))
          ? "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"id_token\":\"%s\"}"
              .formatted(idToken())
          : "";
    } catch (java.security.GeneralSecurityException | JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  private String idToken() throws JoseException {
    JwtClaims claims = new JwtClaims();
    claims.setIssuer(issuer());
    claims.setSubject("7f3a");
    claims.setAudience(CLIENT);
    long now = clock.instant().getEpochSecond();
    claims.setIssuedAt(NumericDate.fromSeconds(now));
    claims.setExpirationTime(NumericDate.fromSeconds(now + 60));
    claims.setStringClaim("nonce", asked.get("nonce"));
    claims.setStringClaim("preferred_username", "ann");
    claims.setStringListClaim("groups", "crew", "everybody");
    lie.accept(claims);
    JsonWebSignature signature = new JsonWebSignature();
    signature.setPayload(claims.toJson());
    signature.setKey(signer.getPrivateKey());
    signature.setKeyIdHeaderValue(signer.getKeyId());
    signature.setAlgorithmHeaderValue("ES256");
    return signature.getCompactSerialization();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
