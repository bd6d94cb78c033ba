package dev.vigil.signed.jose;

import dev.vigil.signed.SignedObjectException;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.EllipticCurve;
import java.util.Arrays;

/** Points of curves, and whether a public key is one (NIST SP 800-56A section 5.6.2.3.4). */
final class CurvePoints {
  static final ECParameterSpec P256 = parameters("secp256r1");
  static final ECParameterSpec P384 = parameters("secp384r1");

  /** 2^255 - 19, the field of Ed25519. */
  private static final BigInteger ED_FIELD =
      BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));

  /** The y coordinate of four points of order 8; the other four have its negative. */
  private static final BigInteger ORDER_8 =
      new BigInteger("7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7", 16);

  private CurvePoints() {}

  static ECParameterSpec of(SignatureAlgorithm algorithm) {
    return switch (algorithm) {
      case ES256 -> P256;
      case ES384 -> P384;
      case EDDSA -> throw new IllegalArgumentException("Ed25519 is not a Weierstrass curve");
    };
  }

  static void requireOnCurve(SignatureAlgorithm algorithm, byte[] point) {
    int half = algorithm.coordinateLength();
    boolean good =
        switch (algorithm) {
          case ES256, ES384 ->
              point.length == 2 * half
                  && onCurve(
                      of(algorithm),
                      new BigInteger(1, Arrays.copyOf(point, half)),
                      new BigInteger(1, Arrays.copyOfRange(point, half, 2 * half)));
          case EDDSA -> point.length == half && usable(point);
        };
    if (!good) {
      throw SignedObjectException.malformed("the JWK is not a point of " + algorithm.curve());
    }
  }

  private static boolean onCurve(ECParameterSpec curve, BigInteger x, BigInteger y) {
    BigInteger p = field(curve);
    if (x.compareTo(p) >= 0 || y.compareTo(p) >= 0) {
      return false;
    }
    return y.multiply(y).mod(p).equals(square(curve, x));
  }

  private static BigInteger field(ECParameterSpec curve) {
    return ((ECFieldFp) curve.getCurve().getField()).getP();
  }

  /** The square of y in the two points with this x. */
  private static BigInteger square(ECParameterSpec curve, BigInteger x) {
    EllipticCurve of = curve.getCurve();
    return x.multiply(x).add(of.getA()).multiply(x).add(of.getB()).mod(field(curve));
  }

  /**
   * One of the two points of P-256 with this x; the power is a square root because p is 3 modulo 4.
   *
   * @param x of a point of the curve
   */
  static ECPoint p256(BigInteger x) {
    BigInteger p = field(P256);
    return new ECPoint(x, square(P256, x).modPow(p.add(BigInteger.ONE).shiftRight(2), p));
  }

  /** The other point of P-256 with the same x. */
  static ECPoint negative(ECPoint point) {
    return new ECPoint(point.getAffineX(), field(P256).subtract(point.getAffineY()));
  }

  /**
   * Checks that the y coordinate is reduced and that the order of the point is not 1, 2, 4 or 8;
   * with such a point a signature would hold for any message. The provider refuses points that are
   * not on the curve.
   */
  private static boolean usable(byte[] point) {
    byte[] big = new byte[point.length];
    for (int i = 0; i < point.length; i++) {
      big[i] = point[point.length - 1 - i];
    }
    big[0] &= 0x7f;
    BigInteger y = new BigInteger(1, big);
    return y.compareTo(ED_FIELD) < 0
        && y.compareTo(BigInteger.ONE) > 0
        && !y.equals(ED_FIELD.subtract(BigInteger.ONE))
        && !y.equals(ORDER_8)
        && !y.equals(ED_FIELD.subtract(ORDER_8));
  }

  private static ECParameterSpec parameters(String name) {
    try {
      // The JDK's own, wherever it stands in the list of providers.
      AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC", "SunEC");
      parameters.init(new ECGenParameterSpec(name));
      return parameters.getParameterSpec(ECParameterSpec.class);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK lacks " + name, e);
    }
  }
}
