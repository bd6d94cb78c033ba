package dev.vigil.signed.batch;

import dev.vigil.signed.batch.P256Library.UnavailableException;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.SignatureAlgorithm;
import dev.vigil.signed.jose.SignatureVerifier;
import dev.vigil.signed.jose.SignedObject;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Verifies several ES256 signatures at once, which costs little more than verifying two of them one
 * after the other. The provider of {@link SignatureVerifier} has the last word: it repeats each
 * rejection and a sample of the acceptances. After one disagreement it verifies everything.
 */
public final class BatchVerifier {
  /** Number of signatures that are verified at once at most. */
  public static final int MAX = P256Library.LANES;

  /** Fewer signatures are cheaper one by one. */
  static final int MIN = 3;

  /** One of this many batches is verified by the provider as well. */
  static final int SAMPLE = 256;

  private final SignatureVerifier provider;

  /** Takes the lanes of {@link P256Library#verify}; null without the library. */
  private final @Nullable ToIntFunction<byte[]> library;

  private final String unavailable;
  private final Runnable onDisagreement;
  private final AtomicBoolean disagreed = new AtomicBoolean();
  private final LongAdder batched = new LongAdder();
  private final AtomicLong batches = new AtomicLong();

  /** A signature to verify. */
  public record Check(Jwk key, SignedObject signed) {}

  BatchVerifier(
      SignatureVerifier provider,
      @Nullable ToIntFunction<byte[]> library,
      String unavailable,
      Runnable onDisagreement) {
    this.provider = provider;
    this.library = library;
    this.unavailable = unavailable;
    this.onDisagreement = onDisagreement;
  }

  /**
   * Loads the native library; without it, the provider verifies everything.
   *
   * @param onDisagreement called at most once, on the thread that found the disagreement
   */
  public static BatchVerifier open(SignatureVerifier provider, Runnable onDisagreement) {
    try {
      return new BatchVerifier(provider, P256Library.load()::verify, "", onDisagreement);
    } catch (UnavailableException e) {
      return new BatchVerifier(provider, null, String.valueOf(e.getMessage()), onDisagreement);
    }
  }

  /** A verifier that leaves every signature to the provider. */
  public static BatchVerifier none(SignatureVerifier provider) {
    return new BatchVerifier(provider, null, "it is switched off", () -> {});
  }

  /** Whether signatures for this key gain from being verified together. */
  public boolean batches(Jwk key) {
    return library != null && key.algorithm() == SignatureAlgorithm.ES256 && !disagreed.get();
  }

  /** A phrase for the log: how many signatures are verified at once, or why only one. */
  public String description() {
    return library == null
        ? "one at a time, because " + unavailable
        : "up to %d of ES256 at a time".formatted(MAX);
  }

  /** Whether the native library and the provider judged a signature differently. */
  public boolean disagreed() {
    return disagreed.get();
  }

  /** The number of signatures that were verified together with others. */
  public long batched() {
    return batched.sum();
  }

  /** Whether the key made the signature; also false for an ill-formed signature. */
  public boolean verify(Jwk key, SignedObject signed) {
    return provider.verify(key, signed);
  }

  /**
   * Whether each key made its signature, in the order of the checks.
   *
   * @param checks at most {@link #MAX}
   */
  public boolean[] verify(List<Check> checks) {
    ToIntFunction<byte[]> lanes = library;
    boolean together =
        lanes != null
            && checks.size() >= MIN
            && checks.stream().allMatch(BatchVerifier::fits)
            && !disagreed.get();
    if (lanes == null || !together) {
      return byProvider(checks);
    }
    boolean sampled = batches.incrementAndGet() % SAMPLE == 0;
    batched.add(checks.size());
    boolean[] valid = together(lanes, checks);
    for (int i = 0; i < valid.length; i++) {
      Check check = checks.get(i);
      if ((sampled || !valid[i]) && provider.verify(check.key(), check.signed()) != valid[i]) {
        disable();
        return byProvider(checks);
      }
    }
    return valid;
  }

  private void disable() {
    if (!disagreed.getAndSet(true)) {
      onDisagreement.run();
    }
  }

  private boolean[] byProvider(List<Check> checks) {
    boolean[] valid = new boolean[checks.size()];
    for (int i = 0; i < valid.length; i++) {
      valid[i] = provider.verify(checks.get(i).key(), checks.get(i).signed());
    }
    return valid;
  }

  private static boolean fits(Check check) {
    return check.key().algorithm() == SignatureAlgorithm.ES256
        && check.signed().signature().length == SignatureAlgorithm.ES256.signatureLength();
  }

  private static boolean[] together(ToIntFunction<byte[]> library, List<Check> checks) {
    byte[] lanes = new byte[checks.size() * P256Library.LANE_OCTETS];
    MessageDigest sha256 = sha256();
    for (int i = 0; i < checks.size(); i++) {
      write(checks.get(i), sha256, lanes, i * P256Library.LANE_OCTETS);
    }
    int valid = library.applyAsInt(lanes);
    boolean[] each = new boolean[checks.size()];
    for (int i = 0; i < each.length; i++) {
      each[i] = (valid & 1 << i) != 0;
    }
    return each;
  }

  private static void write(Check check, MessageDigest sha256, byte[] lanes, int at) {
    SignedObject signed = check.signed();
    sha256.update(signed.signedOctets(), 0, signed.signedLength());
    try {
      sha256.digest(lanes, at, P256Library.NUMBER);
    } catch (DigestException e) {
      throw new IllegalStateException("a SHA-256 digest has 32 octets", e);
    }
    int signature = at + P256Library.NUMBER;
    System.arraycopy(signed.signature(), 0, lanes, signature, 2 * P256Library.NUMBER);
    byte[] point = check.key().point();
    System.arraycopy(point, 0, lanes, signature + 2 * P256Library.NUMBER, point.length);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
