package dev.vigil.mirror.jose;

import dev.vigil.mirror.wire.Rejection;

/** The signature algorithms of the profile (RFC 7518 section 3.4, RFC 8037 section 3.1). */
public enum Algorithm {
  ES256("ES256", "EC", "P-256", 32, 64, -7, 1),
  ES384("ES384", "EC", "P-384", 48, 96, -35, 2),
  EDDSA("EdDSA", "OKP", "Ed25519", 32, 64, -8, 6);

  private final String jose;
  private final String keyType;
  private final String curve;
  private final int coordinate;
  private final int signature;
  private final int cose;
  private final int coseCurve;

  Algorithm(
      String jose,
      String keyType,
      String curve,
      int coordinate,
      int signature,
      int cose,
      int coseCurve) {
    this.jose = jose;
    this.keyType = keyType;
    this.curve = curve;
    this.coordinate = coordinate;
    this.signature = signature;
    this.cose = cose;
    this.coseCurve = coseCurve;
  }

  /** The {@code alg} of a JWS. */
  public String jose() {
    return jose;
  }

  public String keyType() {
    return keyType;
  }

  public String curve() {
    return curve;
  }

  /** Octets of each coordinate of a public key. */
  public int coordinateLength() {
    return coordinate;
  }

  /** Octets of a signature. */
  public int signatureLength() {
    return signature;
  }

  /** The number in COSE (RFC 9053). */
  public int cose() {
    return cose;
  }

  /** The curve's number in a COSE_Key (RFC 9053 section 7.1). */
  public int coseCurve() {
    return coseCurve;
  }

  public static Algorithm ofJose(String name) {
    for (Algorithm algorithm : values()) {
      if (algorithm.jose.equals(name)) {
        return algorithm;
      }
    }
    throw Rejection.malformed("alg is not ES256, ES384 or EdDSA");
  }

  public static Algorithm ofCose(long number) {
    for (Algorithm algorithm : values()) {
      if (algorithm.cose == number) {
        return algorithm;
      }
    }
    throw Rejection.malformed("alg is not ES256, ES384 or EdDSA");
  }
}
