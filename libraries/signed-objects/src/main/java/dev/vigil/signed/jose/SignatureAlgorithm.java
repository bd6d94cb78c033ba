package dev.vigil.signed.jose;

import dev.vigil.signed.SignedObjectException;

/** The signature algorithms of the profile (RFC 7518 section 3.4, RFC 8037 section 3.1). */
public enum SignatureAlgorithm {
  ES256("ES256", "EC", "P-256", 32, 64, -7, 1),
  ES384("ES384", "EC", "P-384", 48, 96, -35, 2),
  EDDSA("EdDSA", "OKP", "Ed25519", 32, 64, -8, 6);

  private final String jose;
  private final String keyType;
  private final String curve;
  private final int coordinateLength;
  private final int signatureLength;
  private final int cose;
  private final int coseCurve;

  SignatureAlgorithm(
      String jose,
      String keyType,
      String curve,
      int coordinateLength,
      int signatureLength,
      int cose,
      int coseCurve) {
    this.jose = jose;
    this.keyType = keyType;
    this.curve = curve;
    this.coordinateLength = coordinateLength;
    this.signatureLength = signatureLength;
    this.cose = cose;
    this.coseCurve = coseCurve;
  }

  /** The {@code alg} value in JOSE (RFC 7518, RFC 8037). */
  public String jose() {
    return jose;
  }

  public String keyType() {
    return keyType;
  }

  public String curve() {
    return curve;
  }

  /** Length of each coordinate of a public key, in octets. */
  public int coordinateLength() {
    return coordinateLength;
  }

  /** Length of a signature, in octets. */
  public int signatureLength() {
    return signatureLength;
  }

  /**
   * The name of the signature in the Java Cryptography Architecture.
   *
   * @param ecdsa the provider's name, after the digest, for ECDSA with R and S in the form of JOSE
   */
  String signatureName(String ecdsa) {
    return switch (this) {
      case ES256 -> "SHA256" + ecdsa;
      case ES384 -> "SHA384" + ecdsa;
      case EDDSA -> "Ed25519";
    };
  }

  /** The algorithm's number in COSE (RFC 9053 section 2). */
  public int cose() {
    return cose;
  }

  /** The curve's number in a COSE_Key (RFC 9053 section 7.1). */
  public int coseCurve() {
    return coseCurve;
  }

  public static SignatureAlgorithm ofJose(String name) {
    for (SignatureAlgorithm algorithm : values()) {
      if (algorithm.jose.equals(name)) {
        return algorithm;
      }
    }
    throw SignedObjectException.malformed("alg is not ES256, ES384 or EdDSA");
  }

  public static SignatureAlgorithm ofCose(long number) {
    for (SignatureAlgorithm algorithm : values()) {
      if (algorithm.cose == number) {
        return algorithm;
      }
    }
    throw SignedObjectException.malformed("alg is not ES256, ES384 or EdDSA");
  }
}
