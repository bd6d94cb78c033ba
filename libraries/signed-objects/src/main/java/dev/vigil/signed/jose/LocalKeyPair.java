package dev.vigil.signed.jose;

import dev.vigil.signed.SignedObjectException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.util.Arrays;
import javax.crypto.KeyAgreement;

/**
 * A key pair of this process, kept as JDK objects because signing and key agreement are rare here.
 */
public final class LocalKeyPair {
  private static final String EC_PROVIDER = "SunEC";

  private final Jwk jwk;
  private final PrivateKey secret;

  private LocalKeyPair(Jwk jwk, PrivateKey secret) {
    this.jwk = jwk;
    this.secret = secret;
  }

  public static LocalKeyPair generate(SecureRandom random) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", EC_PROVIDER);
      generator.initialize(new ECGenParameterSpec("secp256r1"), random);
      return of(SignatureAlgorithm.ES256, generator.generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK lacks P-256", e);
    }
  }

  static LocalKeyPair generate(SignatureAlgorithm algorithm) throws GeneralSecurityException {
    KeyPairGenerator generator =
        KeyPairGenerator.getInstance(
            algorithm == SignatureAlgorithm.EDDSA ? "Ed25519" : "EC", EC_PROVIDER);
    if (algorithm != SignatureAlgorithm.EDDSA) {
      generator.initialize(CurvePoints.of(algorithm));
    }
    return of(algorithm, generator.generateKeyPair());
  }

  /**
   * The key pair of P-256 with a given private key. The JDK makes no public key of a private one,
   * but an agreement with the generator has the same x. Of the two points with this x, one belongs
   * to the private key.
   *
   * @param scalar the private key, from 1 to the order of the generator without 1
   */
  public static LocalKeyPair ofScalar(BigInteger scalar) {
    try {
      KeyFactory keys = KeyFactory.getInstance("EC", EC_PROVIDER);
      PrivateKey secret = keys.generatePrivate(new ECPrivateKeySpec(scalar, CurvePoints.P256));
      ECPoint generator = CurvePoints.P256.getGenerator();
      KeyAgreement agreement = KeyAgreement.getInstance("ECDH", EC_PROVIDER);
      agreement.init(secret);
      agreement.doPhase(
          keys.generatePublic(new ECPublicKeySpec(generator, CurvePoints.P256)), true);
      BigInteger x = new BigInteger(1, agreement.generateSecret());
      ECPoint point = CurvePoints.p256(x);
      try {
        return restore(secret, jwk(SignatureAlgorithm.ES256, point));
      } catch (SignedObjectException e) {
        return restore(secret, jwk(SignatureAlgorithm.ES256, CurvePoints.negative(point)));
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK lacks P-256", e);
    }
  }

  /**
   * @param secret of P-256, in the JDK's form
   * @param jwk its public key
   * @throws SignedObjectException if the two do not belong together
   */
  public static LocalKeyPair restore(PrivateKey secret, Jwk jwk) {
    LocalKeyPair key = new LocalKeyPair(jwk, secret);
    if (!key.belongTogether()) {
      throw SignedObjectException.malformed("the private key does not belong to the public key");
    }
    return key;
  }

  public Jwk jwk() {
    return jwk;
  }

  /**
   * PKCS #8; a secret. The encoding of a key does not depend on the form in which it was stored,
   * because the mirror derives the key of its sealed store from these octets.
   */
  public byte[] encoded() {
    return secret.getEncoded();
  }

  /** Of P-256, in the JDK's form; holds the secret. */
  public KeyPair keyPair() {
    try {
      return new KeyPair(jwk.publicKey(), secret);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK does not accept its own key", e);
    }
  }

  private boolean belongTogether() {
    byte[] sample = {1};
    try {
      Signature check = Signature.getInstance(signatureName(), EC_PROVIDER);
      check.initVerify(jwk.publicKey());
      check.update(sample);
      return check.verify(sign(sample));
    } catch (GeneralSecurityException | IllegalStateException e) {
      return false;
    }
  }

  /** R then S, or the 64 octets of Ed25519. */
  public byte[] sign(byte[] octets) {
    try {
      Signature signature = Signature.getInstance(signatureName(), EC_PROVIDER);
      signature.initSign(secret);
      signature.update(octets);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK cannot sign with its own key", e);
    }
  }

  private String signatureName() {
    return jwk.algorithm().signatureName("withECDSAinP1363Format");
  }

  /**
   * The x coordinate of the shared point (32 octets). The caller has checked that the other key is
   * on P-256.
   */
  public byte[] agree(Jwk other) {
    try {
      KeyAgreement agreement = KeyAgreement.getInstance("ECDH", EC_PROVIDER);
      agreement.init(secret);
      agreement.doPhase(other.publicKey(), true);
      return agreement.generateSecret();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK cannot agree with its own key", e);
    }
  }

  private static LocalKeyPair of(SignatureAlgorithm algorithm, KeyPair pair) {
    Jwk jwk =
        switch (pair.getPublic()) {
          case ECPublicKey key -> jwk(algorithm, key.getW());
          case PublicKey key -> {
            byte[] encoded = key.getEncoded();
            int length = encoded.length;
            yield new Jwk(
                algorithm,
                Arrays.copyOfRange(encoded, length - algorithm.coordinateLength(), length));
          }
        };
    return new LocalKeyPair(jwk, pair.getPrivate());
  }

  private static Jwk jwk(SignatureAlgorithm algorithm, ECPoint point) {
    int half = algorithm.coordinateLength();
    byte[] both = new byte[2 * half];
    put(point.getAffineX(), both, half);
    put(point.getAffineY(), both, 2 * half);
    return new Jwk(algorithm, both);
  }

  private static void put(BigInteger value, byte[] into, int end) {
    byte[] octets = value.toByteArray();
    int length = Math.min(octets.length, into.length / 2);
    System.arraycopy(octets, octets.length - length, into, end - length, length);
  }
}
