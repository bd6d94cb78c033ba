package dev.vigil.mirror.jose;

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
import java.security.spec.ECPublicKeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import javax.crypto.KeyAgreement;

/** A key pair of our own, kept in the JDK's form: signing and agreement are rare here. */
public final class OwnKey {
  private static final String EC_PROVIDER = "SunEC";

  private final Jwk jwk;
  private final PrivateKey secret;

  private OwnKey(Jwk jwk, PrivateKey secret) {
    this.jwk = jwk;
    this.secret = secret;
  }

  public static OwnKey generate(SecureRandom random) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", EC_PROVIDER);
      generator.initialize(new ECGenParameterSpec("secp256r1"), random);
      return of(Algorithm.ES256, generator.generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK lacks P-256", e);
    }
  }

  static OwnKey generate(Algorithm algorithm) throws GeneralSecurityException {
    KeyPairGenerator generator =
        KeyPairGenerator.getInstance(algorithm == Algorithm.EDDSA ? "Ed25519" : "EC", EC_PROVIDER);
    if (algorithm != Algorithm.EDDSA) {
      generator.initialize(Curves.of(algorithm));
    }
    return of(algorithm, generator.generateKeyPair());
  }

  /**
   * @param pkcs8 the private key; of P-256
   * @param jwk its public key, as {@link #jwk()} gave it
   */
  public static OwnKey restore(byte[] pkcs8, Jwk jwk) throws GeneralSecurityException {
    PrivateKey secret =
        KeyFactory.getInstance("EC", EC_PROVIDER).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    return new OwnKey(jwk, secret);
  }

  public Jwk jwk() {
    return jwk;
  }

  /** PKCS #8; a secret. */
  public byte[] encoded() {
    return secret.getEncoded();
  }

  /** Of P-256, in the JDK's form; holds the secret. */
  public KeyPair keyPair() {
    try {
      return new KeyPair(publicKey(KeyFactory.getInstance("EC", EC_PROVIDER), jwk), secret);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK does not take its own key", e);
    }
  }

  /** R then S, or the 64 octets of Ed25519. */
  public byte[] sign(byte[] octets) {
    String name =
        switch (jwk.algorithm()) {
          case ES256 -> "SHA256withECDSAinP1363Format";
          case ES384 -> "SHA384withECDSAinP1363Format";
          case EDDSA -> "Ed25519";
        };
    try {
      Signature signature = Signature.getInstance(name, EC_PROVIDER);
      signature.initSign(secret);
      signature.update(octets);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK cannot sign with its own key", e);
    }
  }

  /** The x coordinate of the shared point (32 octets); the other key is known to be on P-256. */
  public byte[] agree(Jwk other) {
    try {
      KeyFactory factory = KeyFactory.getInstance("EC", EC_PROVIDER);
      PublicKey theirs = publicKey(factory, other);
      KeyAgreement agreement = KeyAgreement.getInstance("ECDH", EC_PROVIDER);
      agreement.init(secret);
      agreement.doPhase(theirs, true);
      return agreement.generateSecret();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK cannot agree with its own key", e);
    }
  }

  private static PublicKey publicKey(KeyFactory factory, Jwk jwk) throws GeneralSecurityException {
    ECPoint point = new ECPoint(new BigInteger(1, jwk.x()), new BigInteger(1, jwk.y()));
    return factory.generatePublic(new ECPublicKeySpec(point, Curves.P256));
  }

  private static OwnKey of(Algorithm algorithm, KeyPair pair) {
    byte[] point =
        switch (algorithm) {
          case ES256, ES384 -> {
            ECPoint w = ((ECPublicKey) pair.getPublic()).getW();
            int half = algorithm.coordinateLength();
            byte[] both = new byte[2 * half];
            put(w.getAffineX(), both, half);
            put(w.getAffineY(), both, 2 * half);
            yield both;
          }
          case EDDSA -> {
            byte[] encoded = pair.getPublic().getEncoded();
            yield Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
          }
        };
    return new OwnKey(new Jwk(algorithm, point), pair.getPrivate());
  }

  private static void put(BigInteger value, byte[] into, int end) {
    byte[] octets = value.toByteArray();
    int length = Math.min(octets.length, into.length / 2);
    System.arraycopy(octets, octets.length - length, into, end - length, length);
  }
}
