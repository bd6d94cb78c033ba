package dev.vigil.signed.jose;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * Verifies signatures with an explicitly chosen provider: Amazon Corretto where its native library
 * loads, else Bouncy Castle with its own keys, else the JDK. No provider is installed, because
 * Corretto or Bouncy Castle at the head of the JVM's provider list breaks other libraries. Safe for
 * use by any number of threads.
 */
public final class SignatureVerifier {
  /** Number of cached provider keys, about 1 KB each. */
  private static final int MAX_CACHED_KEYS = 8192;

  private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private final Map<SignatureAlgorithm, SignaturePool> pools =
      new EnumMap<>(SignatureAlgorithm.class);
  private final Map<Jwk, PublicKey> keys = new ConcurrentHashMap<>();

  /** The wanted provider; AUTO chooses the fastest that works on this platform. */
  public enum Choice {
    AUTO,
    CORRETTO,
    BOUNCY_CASTLE,
    JDK
  }

  /**
   * The signature objects of one algorithm at one provider.
   *
   * @param der whether the provider takes R and S in DER; Corretto's own conversion costs more
   */
  private record SignaturePool(Provider provider, String name, boolean der, Queue<Signature> idle) {
    Signature borrow() throws GeneralSecurityException {
      Signature pooled = idle.poll();
      return pooled == null ? Signature.getInstance(name, provider) : pooled;
    }

    void giveBack(Signature signature) {
      idle.offer(signature);
    }
  }

  /**
   * @throws IllegalStateException if no provider of the choice works; the message names the remedy
   */
  public SignatureVerifier(Choice choice) {
    for (SignatureAlgorithm algorithm : SignatureAlgorithm.values()) {
      pools.put(algorithm, firstWorking(algorithm, choice));
    }
  }

  /** One line for the log: the provider of each algorithm. */
  public String description() {
    return pools.entrySet().stream()
        .map(e -> e.getKey().jose() + " by " + e.getValue().provider().getName())
        .collect(Collectors.joining(", "));
  }

  /** Whether the key made the signature; also false for an ill-formed signature. */
  public boolean verify(Jwk key, SignedObject signed) {
    return verify(key, signed.signedOctets(), signed.signedLength(), signed.signature());
  }

  boolean verify(Jwk key, byte[] octets, int length, byte[] signature) {
    if (signature.length != key.algorithm().signatureLength()) {
      return false;
    }
    SignaturePool pool = pools.get(key.algorithm());
    if (pool == null) {
      throw new IllegalStateException("no provider for " + key.algorithm());
    }
    try {
      Signature check = pool.borrow();
      check.initVerify(providerKey(key, pool.provider()));
      check.update(octets, 0, length);
      boolean good = check.verify(pool.der() ? EcdsaDer.of(signature) : signature);
      pool.giveBack(check);
      return good;
    } catch (GeneralSecurityException e) {
      // Providers differ in whether they throw or return false, for instance for r or s of zero, or
      // for an Ed25519 key that is not a point of the curve.
      return false;
    }
  }

  private PublicKey providerKey(Jwk key, Provider provider) throws GeneralSecurityException {
    PublicKey known = keys.get(key);
    if (known != null) {
      return known;
    }
    PublicKey created = publicKey(key, provider);
    if (keys.size() >= MAX_CACHED_KEYS) {
      keys.clear();
    }
    keys.put(key, created);
    return created;
  }

  static PublicKey publicKey(Jwk key, Provider provider) throws GeneralSecurityException {
    return switch (key.algorithm()) {
      case ES256, ES384 ->
          KeyFactory.getInstance("EC", provider)
              .generatePublic(
                  new ECPublicKeySpec(
                      new ECPoint(new BigInteger(1, key.x()), new BigInteger(1, key.y())),
                      CurvePoints.of(key.algorithm())));
      case EDDSA -> {
        byte[] encoded = new byte[ED25519_PREFIX.length + key.point().length];
        System.arraycopy(ED25519_PREFIX, 0, encoded, 0, ED25519_PREFIX.length);
        System.arraycopy(key.point(), 0, encoded, ED25519_PREFIX.length, key.point().length);
        yield KeyFactory.getInstance("Ed25519", provider)
            .generatePublic(new X509EncodedKeySpec(encoded));
      }
    };
  }

  private static SignaturePool firstWorking(SignatureAlgorithm algorithm, Choice choice) {
    for (Choice candidate : candidates(choice)) {
      Provider provider = provider(candidate);
      SignaturePool pool =
          new SignaturePool(
              provider,
              name(algorithm, provider),
              algorithm != SignatureAlgorithm.EDDSA
                  && provider instanceof AmazonCorrettoCryptoProvider,
              new ConcurrentLinkedQueue<>());
      if (works(pool, algorithm)) {
        return pool;
      }
    }
    throw new IllegalStateException(
        "no provider verifies "
            + algorithm.jose()
            + " on this platform with the choice "
            + choice
            + "; choose AUTO or BOUNCY_CASTLE");
  }

  /** Whether the provider works on this platform: it must accept a signature from an RFC. */
  private static boolean works(SignaturePool pool, SignatureAlgorithm algorithm) {
    if (pool.provider() instanceof AmazonCorrettoCryptoProvider corretto
        && corretto.getLoadingError() != null) {
      return false;
    }
    try {
      KnownAnswer known = KnownAnswer.of(algorithm);
      Signature check = pool.borrow();
      check.initVerify(publicKey(known.key(), pool.provider()));
      check.update(known.message());
      return check.verify(pool.der() ? EcdsaDer.of(known.signature()) : known.signature());
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** Providers in order of speed. */
  private static List<Choice> candidates(Choice choice) {
    return switch (choice) {
      case AUTO -> List.of(Choice.CORRETTO, Choice.BOUNCY_CASTLE, Choice.JDK);
      case CORRETTO -> List.of(Choice.CORRETTO, Choice.BOUNCY_CASTLE);
      case BOUNCY_CASTLE, JDK -> List.of(choice);
    };
  }

  private static Provider provider(Choice candidate) {
    return switch (candidate) {
      case CORRETTO -> AmazonCorrettoCryptoProvider.INSTANCE;
      case BOUNCY_CASTLE -> BouncyCastle.PROVIDER;
      case AUTO, JDK -> Security.getProvider("SunEC");
    };
  }

  /** Holder that loads the provider's hundreds of classes on demand. */
  private static final class BouncyCastle {
    static final Provider PROVIDER = new BouncyCastleProvider();
  }

  private static String name(SignatureAlgorithm algorithm, Provider provider) {
    String ecdsa =
        switch (provider) {
          case BouncyCastleProvider bouncy -> "withPLAIN-ECDSA";
          case AmazonCorrettoCryptoProvider corretto -> "withECDSA";
          default -> "withECDSAinP1363Format";
        };
    return algorithm.signatureName(ecdsa);
  }
}
