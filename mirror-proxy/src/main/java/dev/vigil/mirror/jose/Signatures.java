package dev.vigil.mirror.jose;

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
 * Checks signatures with a provider that is always named, never found by search: Corretto where its
 * native library loads, else Bouncy Castle with its own keys, else the JDK. None of them is
 * installed: Corretto or Bouncy Castle first in the global list breaks others.
 */
public final class Signatures {
  /** Keys kept in the provider's own form; about 1 KB each. */
  private static final int MAX_CACHED_KEYS = 8192;

  private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private final Map<Algorithm, Checker> checkers = new EnumMap<>(Algorithm.class);
  private final Map<Jwk, PublicKey> keys = new ConcurrentHashMap<>();

  /** Which provider is wanted; AUTO takes the fastest that works here. */
  public enum Choice {
    AUTO,
    CORRETTO,
    BOUNCY_CASTLE,
    JDK
  }

  /**
   * One algorithm at one provider, and its idle signature objects.
   *
   * @param der whether it wants R and S as DER has them; Corretto's own conversion costs more
   */
  private record Checker(Provider provider, String name, boolean der, Queue<Signature> idle) {
    Signature take() throws GeneralSecurityException {
      Signature free = idle.poll();
      return free == null ? Signature.getInstance(name, provider) : free;
    }
  }

  /**
   * @throws IllegalStateException when what was asked for does not work here, and what to do
   */
  public Signatures(Choice choice) {
    for (Algorithm algorithm : Algorithm.values()) {
      checkers.put(algorithm, firstThatWorks(algorithm, choice));
    }
  }

  /** One line for the log at start: which provider checks what. */
  public String description() {
    return checkers.entrySet().stream()
        .map(e -> e.getKey().jose() + " by " + e.getValue().provider().getName())
        .collect(Collectors.joining(", "));
  }

  /** Whether the key made the signature. Anything ill-formed is simply not a signature. */
  public boolean verify(Jwk key, Signed signed) {
    return verify(key, signed.signedOctets(), signed.signedLength(), signed.signature());
  }

  boolean verify(Jwk key, byte[] octets, int length, byte[] signature) {
    if (signature.length != key.algorithm().signatureLength()) {
      return false;
    }
    Checker checker = checkers.get(key.algorithm());
    if (checker == null) {
      throw new IllegalStateException("every algorithm has a provider");
    }
    try {
      Signature check = checker.take();
      check.initVerify(inOwnForm(key, checker));
      check.update(octets, 0, length);
      boolean good = check.verify(checker.der() ? EcdsaDer.of(signature) : signature);
      checker.idle().offer(check);
      return good;
    } catch (GeneralSecurityException e) {
      // Providers differ in what they call ill-formed (r or s of zero, an Ed25519 key that is no
      // point of the curve) and what wrong.
      return false;
    }
  }

  private PublicKey inOwnForm(Jwk key, Checker checker) throws GeneralSecurityException {
    PublicKey known = keys.get(key);
    if (known != null) {
      return known;
    }
    PublicKey made = publicKey(key, checker.provider());
    if (keys.size() >= MAX_CACHED_KEYS) {
      keys.clear();
    }
    keys.put(key, made);
    return made;
  }

  static PublicKey publicKey(Jwk key, Provider provider) throws GeneralSecurityException {
    return switch (key.algorithm()) {
      case ES256, ES384 ->
          KeyFactory.getInstance("EC", provider)
              .generatePublic(
                  new ECPublicKeySpec(
                      new ECPoint(new BigInteger(1, key.x()), new BigInteger(1, key.y())),
                      Curves.of(key.algorithm())));
      case EDDSA -> {
        byte[] encoded = new byte[ED25519_PREFIX.length + key.point().length];
        System.arraycopy(ED25519_PREFIX, 0, encoded, 0, ED25519_PREFIX.length);
        System.arraycopy(key.point(), 0, encoded, ED25519_PREFIX.length, key.point().length);
        yield KeyFactory.getInstance("Ed25519", provider)
            .generatePublic(new X509EncodedKeySpec(encoded));
      }
    };
  }

  private static Checker firstThatWorks(Algorithm algorithm, Choice choice) {
    for (Choice candidate : candidates(choice)) {
      Provider provider = provider(candidate);
      Checker checker =
          new Checker(
              provider,
              name(algorithm, provider),
              algorithm != Algorithm.EDDSA && provider instanceof AmazonCorrettoCryptoProvider,
              new ConcurrentLinkedQueue<>());
      if (works(checker, algorithm)) {
        return checker;
      }
    }
    throw new IllegalStateException(
        "no provider checks "
            + algorithm.jose()
            + " here with the choice "
            + choice
            + "; choose AUTO or BOUNCY_CASTLE");
  }

  /** Whether the provider is really here: it has to check a fresh signature of the JDK's. */
  private static boolean works(Checker checker, Algorithm algorithm) {
    if (checker.provider() instanceof AmazonCorrettoCryptoProvider corretto
        && corretto.getLoadingError() != null) {
      return false;
    }
    try {
      OwnKey own = OwnKey.generate(algorithm);
      byte[] sample = {1, 2, 3};
      byte[] signature = own.sign(sample);
      Signature check = checker.take();
      check.initVerify(publicKey(own.jwk(), checker.provider()));
      check.update(sample);
      return check.verify(checker.der() ? EcdsaDer.of(signature) : signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** The fastest first. */
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

  /** Loads its hundreds of classes only where it is asked for. */
  private static final class BouncyCastle {
    static final Provider PROVIDER = new BouncyCastleProvider();
  }

  private static String name(Algorithm algorithm, Provider provider) {
    String ecdsa =
        switch (provider) {
          case BouncyCastleProvider bouncy -> "withPLAIN-ECDSA";
          case AmazonCorrettoCryptoProvider corretto -> "withECDSA";
          default -> "withECDSAinP1363Format";
        };
    return switch (algorithm) {
      case ES256 -> "SHA256" + ecdsa;
      case ES384 -> "SHA384" + ecdsa;
      case EDDSA -> "Ed25519";
    };
  }
}
