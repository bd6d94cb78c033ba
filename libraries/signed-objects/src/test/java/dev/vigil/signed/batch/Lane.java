package dev.vigil.signed.batch;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.io.IOException;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPublicKeySpec;
import java.util.Arrays;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.jce.ECNamedCurveTable;
import org.bouncycastle.jce.spec.ECNamedCurveParameterSpec;
import org.bouncycastle.math.ec.ECPoint;
import org.jspecify.annotations.Nullable;

/**
 * A signature as numbers, for cases that no signer produces.
 *
 * @param digest of the message, as a number
 * @param x of the public key
 */
record Lane(BigInteger digest, BigInteger r, BigInteger s, BigInteger x, BigInteger y) {
  private static final ECNamedCurveParameterSpec CURVE =
      ECNamedCurveTable.getParameterSpec("secp256r1");

  /** The order of the curve. */
  static final BigInteger N = CURVE.getN();

  /** The prime of the field. */
  static final BigInteger P = CURVE.getCurve().getField().getCharacteristic();

  /**
   * The signature that the secret key {@code d} makes with the nonce {@code k}; not valid if r or s
   * is zero.
   */
  static Lane signed(BigInteger digest, BigInteger d, BigInteger k) {
    BigInteger r = xOf(k).mod(N);
    BigInteger s = k.modInverse(N).multiply(digest.add(r.multiply(d))).mod(N);
    return of(digest, r, s, CURVE.getG().multiply(d));
  }

  /** A signature that is valid for a key whose secret nobody knows: R = u1 G + u2 Q. */
  static Lane validFor(ECPoint key, BigInteger u1, BigInteger u2) {
    ECPoint nonce = CURVE.getG().multiply(u1).add(key.multiply(u2)).normalize();
    BigInteger r = nonce.getAffineXCoord().toBigInteger().mod(N);
    BigInteger s = r.multiply(u2.modInverse(N)).mod(N);
    return of(u1.multiply(s).mod(N), r, s, key);
  }

  static Lane of(BigInteger digest, BigInteger r, BigInteger s, ECPoint key) {
    ECPoint point = key.normalize();
    return new Lane(
        digest,
        r,
        s,
        point.getAffineXCoord().toBigInteger(),
        point.getAffineYCoord().toBigInteger());
  }

  /** The x coordinate of the point k G. */
  static BigInteger xOf(BigInteger k) {
    return CURVE.getG().multiply(k).normalize().getAffineXCoord().toBigInteger();
  }

  /** A key for which (r, s) is valid although x of the point R is not below the order. */
  static Lane ofLargeX(BigInteger digest, BigInteger s) {
    for (BigInteger x = N; ; x = x.add(BigInteger.ONE)) {
      ECPoint nonce = withX(x);
      if (nonce != null) {
        BigInteger r = x.subtract(N);
        if (r.signum() > 0) {
          ECPoint key =
              nonce.multiply(s).subtract(CURVE.getG().multiply(digest)).multiply(r.modInverse(N));
          return of(digest, r, s, key);
        }
      }
    }
  }

  /** The point with this x coordinate and an even y; null if there is none. */
  static @Nullable ECPoint withX(BigInteger x) {
    byte[] encoded = new byte[33];
    encoded[0] = 2;
    System.arraycopy(octets(x), 0, encoded, 1, 32);
    try {
      return CURVE.getCurve().decodePoint(encoded);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  Lane withR(BigInteger other) {
    return new Lane(digest, other, s, x, y);
  }

  Lane withS(BigInteger other) {
    return new Lane(digest, r, other, x, y);
  }

  Lane withDigest(BigInteger other) {
    return new Lane(other, r, s, x, y);
  }

  Lane withKey(BigInteger otherX, BigInteger otherY) {
    return new Lane(digest, r, s, otherX, otherY);
  }

  byte[] octets() {
    byte[] lane = new byte[P256Library.LANE_OCTETS];
    int at = 0;
    for (BigInteger number : new BigInteger[] {digest, r, s, x, y}) {
      System.arraycopy(octets(number), 0, lane, at, P256Library.NUMBER);
      at += P256Library.NUMBER;
    }
    return lane;
  }

  /** Exactly 32 octets, big-endian. */
  static byte[] octets(BigInteger number) {
    byte[] signed = number.toByteArray();
    byte[] octets = new byte[P256Library.NUMBER];
    int length = Math.min(signed.length, octets.length);
    System.arraycopy(signed, signed.length - length, octets, octets.length - length, length);
    return octets;
  }

  /** The verdict of the provider that the gateway uses. */
  boolean isValidForProvider() throws GeneralSecurityException {
    return isValidForProvider(publicKey());
  }

  boolean isValidForProvider(PublicKey key) throws GeneralSecurityException {
    try {
      Signature check =
          Signature.getInstance("NONEwithECDSA", AmazonCorrettoCryptoProvider.INSTANCE);
      check.initVerify(key);
      check.update(octets(digest));
      return check.verify(
          new DERSequence(new ASN1Integer[] {new ASN1Integer(r), new ASN1Integer(s)}).getEncoded());
    } catch (SignatureException | IOException e) {
      return false;
    }
  }

  PublicKey publicKey() throws GeneralSecurityException {
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC", "SunEC");
    parameters.init(new ECGenParameterSpec("secp256r1"));
    return KeyFactory.getInstance("EC", AmazonCorrettoCryptoProvider.INSTANCE)
        .generatePublic(
            new ECPublicKeySpec(
                new java.security.spec.ECPoint(x, y),
                parameters.getParameterSpec(ECParameterSpec.class)));
  }

  /** The lanes one after the other. */
  static byte[] octets(Lane... lanes) {
    byte[] all = new byte[lanes.length * P256Library.LANE_OCTETS];
    for (int i = 0; i < lanes.length; i++) {
      System.arraycopy(
          lanes[i].octets(), 0, all, i * P256Library.LANE_OCTETS, P256Library.LANE_OCTETS);
    }
    return all;
  }

  /** Eight lanes. */
  static Lane[] eight(Lane lane) {
    Lane[] lanes = new Lane[P256Library.LANES];
    Arrays.fill(lanes, lane);
    return lanes;
  }
}
