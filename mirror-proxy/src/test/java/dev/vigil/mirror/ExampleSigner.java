package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.SignatureAlgorithm;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Base64;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.params.ECDomainParameters;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.signers.ECDSASigner;
import org.bouncycastle.crypto.signers.HMacDSAKCalculator;
import org.bouncycastle.math.ec.ECPoint;

/**
 * A P-256 key of docs/protocol.md. The private key is SHA-256 of {@code "vigil example "} and a
 * name. Signatures take their nonces from RFC 6979, so every run produces the same octets. Shares
 * only the returned public key with the product code.
 */
final class ExampleSigner {
  private static final X9ECParameters CURVE = CustomNamedCurves.getByName("P-256");
  private static final ECDomainParameters P256 = new ECDomainParameters(CURVE);
  private static final int COORDINATE = 32;

  private final BigInteger secret;
  private final Jwk jwk;

  ExampleSigner(String name) {
    secret = new BigInteger(1, Jwk.sha256(("vigil example " + name).getBytes(UTF_8)));
    jwk = new Jwk(SignatureAlgorithm.ES256, point(P256.getG().multiply(secret)));
  }

  private static byte[] point(ECPoint point) {
    return Arrays.copyOfRange(point.normalize().getEncoded(false), 1, 1 + 2 * COORDINATE);
  }

  Jwk jwk() {
    return jwk;
  }

  String jkt() {
    return jwk.thumbprint();
  }

  /** The private key as JWK, for the document. */
  String privateJwk() {
    String open = jwk.json();
    return open.substring(0, open.length() - 1) + ",\"d\":\"" + base64url(octets(secret)) + "\"}";
  }

  /** R then S (RFC 7518 section 3.4). */
  byte[] sign(byte[] octets) {
    ECDSASigner signer = new ECDSASigner(new HMacDSAKCalculator(new SHA256Digest()));
    signer.init(true, new ECPrivateKeyParameters(secret, P256));
    BigInteger[] both = signer.generateSignature(Jwk.sha256(octets));
    byte[] signature = Arrays.copyOf(octets(both[0]), 2 * COORDINATE);
    System.arraycopy(octets(both[1]), 0, signature, COORDINATE, COORDINATE);
    return signature;
  }

  /** JWS in compact serialization over a given header, unchanged. */
  String jws(String header, byte[] payload) {
    String signed = base64url(header.getBytes(UTF_8)) + "." + base64url(payload);
    return signed + "." + base64url(sign(signed.getBytes(UTF_8)));
  }

  /** The x coordinate of the shared point (32 octets). */
  byte[] agree(byte[] x, byte[] y) {
    ECPoint theirs = CURVE.getCurve().createPoint(new BigInteger(1, x), new BigInteger(1, y));
    return Arrays.copyOf(point(theirs.multiply(secret)), COORDINATE);
  }

  static String base64url(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }

  private static byte[] octets(BigInteger number) {
    byte[] signed = number.toByteArray();
    byte[] octets = new byte[COORDINATE];
    int length = Math.min(signed.length, COORDINATE);
    System.arraycopy(signed, signed.length - length, octets, COORDINATE - length, length);
    return octets;
  }
}
