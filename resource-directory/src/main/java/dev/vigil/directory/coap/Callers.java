package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Caller;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Principal;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.util.Arrays;
import java.util.Base64;
import org.eclipse.californium.elements.EndpointContext;
import org.eclipse.californium.elements.auth.PreSharedKeyIdentity;
import org.eclipse.californium.elements.auth.RawPublicKeyIdentity;
import org.eclipse.californium.elements.auth.X509CertPath;

/** Who asks, from what the connector knows about a datagram. */
final class Callers {
  private final CoapSettings.Trust trust;

  Callers(CoapSettings.Trust trust) {
    this.trust = trust;
  }

  /**
   * @param at where the datagram came in
   */
  Caller of(InetSocketAddress at, EndpointContext context, boolean secure, boolean echoed) {
    InetSocketAddress source = context.getPeerAddress();
    boolean verified = secure || echoed || trust.vouchesFor(at, source.getAddress());
    return new Caller(source, verified, secure, identity(context.getPeerIdentity()));
  }

  private static Caller.Identity identity(Principal principal) {
    return switch (principal) {
      case PreSharedKeyIdentity psk -> new Caller.PreSharedKey(psk.getIdentity());
      case RawPublicKeyIdentity raw -> rawKey(raw.getKey());
      case X509CertPath path -> Certificates.identity(path.getTarget());
      case null, default -> new Caller.Anonymous();
    };
  }

  private static Caller.Identity rawKey(PublicKey key) {
    String jwk =
        switch (key) {
          case ECPublicKey ec -> ellipticCurve(ec);
          case EdECPublicKey ed ->
              "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"" + ed25519(ed) + "\"}";
          default -> "";
        };
    // A key of a kind that no thumbprint of ours can name is nobody's.
    return jwk.isEmpty() ? new Caller.Anonymous() : new Caller.RawKey(sha256(jwk));
  }

  /** The required members of RFC 7638 section 3.2, in its order. */
  private static String ellipticCurve(ECPublicKey key) {
    int octets = (key.getParams().getCurve().getField().getFieldSize() + 7) / 8;
    return "{\"crv\":\"P-%d\",\"kty\":\"EC\",\"x\":\"%s\",\"y\":\"%s\"}"
        .formatted(
            key.getParams().getCurve().getField().getFieldSize(),
            base64(unsigned(key.getW().getAffineX().toByteArray(), octets)),
            base64(unsigned(key.getW().getAffineY().toByteArray(), octets)));
  }

  private static String ed25519(EdECPublicKey key) {
    // The last 32 octets of the SubjectPublicKeyInfo are the key itself (RFC 8410 section 4).
    byte[] encoded = key.getEncoded();
    return base64(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
  }

  private static byte[] unsigned(byte[] number, int octets) {
    byte[] fixed = new byte[octets];
    int length = Math.min(number.length, octets);
    System.arraycopy(number, number.length - length, fixed, octets - length, length);
    return fixed;
  }

  private static String sha256(String text) {
    try {
      return base64(
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static String base64(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }
}
