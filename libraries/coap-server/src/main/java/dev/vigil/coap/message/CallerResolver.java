package dev.vigil.coap.message;

import dev.vigil.coap.exchange.Caller;
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
import java.util.OptionalLong;
import org.eclipse.californium.elements.EndpointContext;
import org.eclipse.californium.elements.auth.PreSharedKeyIdentity;
import org.eclipse.californium.elements.auth.RawPublicKeyIdentity;
import org.eclipse.californium.elements.auth.X509CertPath;

/**
 * Determines the caller of a request from the endpoint context that the connector attached to the
 * datagram.
 */
public final class CallerResolver {
  private final CoapSettings.Trust trust;

  public CallerResolver(CoapSettings.Trust trust) {
    this.trust = trust;
  }

  /**
   * @param local the socket that received the request
   * @param echoed whether the source has proved its address by an Echo option
   */
  public Caller of(
      InetSocketAddress local, EndpointContext context, boolean secure, boolean echoed) {
    InetSocketAddress source = context.getPeerAddress();
    boolean trusted = trust.isTrusted(local, context);
    boolean verified = secure || echoed || trusted || trust.isVerified(local, context);
    return new Caller(
        source,
        verified,
        trusted,
        secure,
        identity(context.getPeerIdentity()),
        trusted ? trust.neighbour(local, source.getAddress()) : OptionalLong.empty(),
        trust.isAssociated(context));
  }

  private static Caller.Identity identity(Principal principal) {
    return switch (principal) {
      case PreSharedKeyIdentity psk -> new Caller.PreSharedKey(psk.getIdentity());
      case RawPublicKeyIdentity raw -> rawKey(raw.getKey());
      case X509CertPath path -> CertificateNames.identity(path.getTarget());
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
    // Keys of other types have no thumbprint here; their holder stays anonymous.
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
