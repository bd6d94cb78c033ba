package dev.vigil.gateway.testing;

import java.security.KeyPair;
import java.util.HashMap;
import java.util.Map;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.EllipticCurveJsonWebKey;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;

/**
 * The signed messages of a sleepy endpoint. They are made with jose4j, which is independent of our
 * code.
 */
public final class SleepyEndpoint {
  private final String ep;
  private final EllipticCurveJsonWebKey key;
  private final String jkt;

  private SleepyEndpoint(String ep, EllipticCurveJsonWebKey key, String jkt) {
    this.ep = ep;
    this.key = key;
    this.jkt = jkt;
  }

  public SleepyEndpoint(String ep) {
    this.ep = ep;
    try {
      this.key = EcJwkGenerator.generateJwk(EllipticCurves.P256);
      this.jkt = key.calculateBase64urlEncodedThumbprint("SHA-256");
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An endpoint with the same key and another name. */
  public SleepyEndpoint as(String name) {
    return new SleepyEndpoint(name, key, jkt);
  }

  public String ep() {
    return ep;
  }

  public String jkt() {
    return jkt;
  }

  public KeyPair keys() {
    return new KeyPair(key.getPublicKey(), key.getPrivateKey());
  }

  /** The public key as a JWK. */
  public String jwk() {
    return key.toJson(JsonWebKey.OutputControlLevel.PUBLIC_ONLY);
  }

  /** A signed registration (docs/protocol.md section 2). */
  public String registration(long seq, String links) {
    return registration(seq, links, "");
  }

  /** A signed registration that ends the endpoint's registration. */
  public String withdrawal(long seq) {
    Map<String, Object> header = registrationHeader(seq);
    header.put("lt", 0);
    return signed(header, "</temp>");
  }

  /** A signed registration in a domain; an empty name means the unnamed domain. */
  public String registration(long seq, String links, String d) {
    Map<String, Object> header = registrationHeader(seq);
    if (!d.isEmpty()) {
      header.put("d", d);
    }
    return signed(header, links);
  }

  private Map<String, Object> registrationHeader(long seq) {
    return new HashMap<>(
        Map.of(
            "typ",
            "vigil-reg",
            "cty",
            "application/link-format",
            "jwk",
            key.toParams(JsonWebKey.OutputControlLevel.PUBLIC_ONLY),
            "ep",
            ep,
            "seq",
            seq));
  }

  /** A signed update (docs/protocol.md section 4). */
  public String update(String resource, long seq, double value) {
    return signed(
        Map.of("cty", "application/senml+json", "kid", jkt, "res", resource, "seq", seq),
        "[{\"n\":\"%s/%s\",\"u\":\"Cel\",\"v\":%s}]".formatted(ep, resource, value));
  }

  /** An update with a measurement time in Unix seconds. */
  public String measured(String resource, long seq, double value, long at) {
    return signed(
        Map.of("cty", "application/senml+json", "kid", jkt, "res", resource, "seq", seq),
        "[{\"n\":\"%s/%s\",\"u\":\"Cel\",\"v\":%s,\"t\":%d}]".formatted(ep, resource, value, at));
  }

  /** An update with a string in JSON notation, without quotes. */
  public String text(String resource, long seq, String text) {
    return signed(
        Map.of("cty", "application/senml+json", "kid", jkt, "res", resource, "seq", seq),
        "[{\"n\":\"%s\",\"vs\":\"%s\"}]".formatted(resource, text));
  }

  /** A command to another endpoint, signed with this key (docs/protocol.md section 8). */
  public String command(String to, String resource, long seq) {
    return command(to, "", resource, seq);
  }

  /** A command to an endpoint in a domain; an empty name means the unnamed domain. */
  public String command(String to, String d, String resource, long seq) {
    Map<String, Object> header =
        new HashMap<>(
            Map.of(
                "typ",
                "vigil-cmd",
                "cty",
                "application/senml+json",
                "kid",
                jkt,
                "ep",
                to,
                "res",
                resource,
                "seq",
                seq));
    if (!d.isEmpty()) {
      header.put("d", d);
    }
    return signed(header, "[{\"n\":\"%s\",\"vb\":true}]".formatted(resource));
  }

  private String signed(Map<String, Object> header, String payload) {
    JsonWebSignature jws = new JsonWebSignature();
    jws.setAlgorithmHeaderValue("ES256");
    header.forEach((name, value) -> jws.getHeaders().setObjectHeaderValue(name, value));
    jws.setPayload(payload);
    jws.setKey(key.getPrivateKey());
    try {
      return jws.getCompactSerialization();
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }
}
