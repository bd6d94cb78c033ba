package dev.vigil.gateway.credentials;

import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.text.Normalizer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.password.AbstractValidatingPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;

/**
 * Hashes passwords with Argon2id (RFC 9106). Hashing is deliberately slow and memory-intensive, so
 * only two passwords are hashed at a time and a few wait. Checks of existing and missing accounts
 * take the same time.
 */
@Component
public final class PasswordHasher {
  private static final int SALT_OCTETS = 16;
  private static final int HASH_OCTETS = 32;
  private static final int LANES = 1;
  private static final int KIBIBYTES = 19 * 1024;
  private static final int PASSES = 2;

  private static final String CHOSEN = "argon2";

  /**
   * The prefix of hashes of random passwords. A fast hash is enough because nobody can guess them.
   */
  private static final String RANDOM = "{sha256}";

  private static final int CONCURRENT = 2;
  private static final int MAX_WAITING = 16;
  private static final Duration MAX_WAIT = Duration.ofSeconds(10);
  private static final long RETRY_SECONDS = 5;

  private final DelegatingPasswordEncoder encoder;
  private final Semaphore running = new Semaphore(CONCURRENT, true);
  private final Duration maxWait;

  /** The hash for accounts without a password; computed at the first use. */
  private volatile @Nullable String nobody;

  private static final class RandomPasswordEncoder extends AbstractValidatingPasswordEncoder {
    @Override
    protected String encodeNonNullPassword(String password) {
      return Secrets.hash(password);
    }

    @Override
    protected boolean matchesNonNull(String password, String hash) {
      return Secrets.areSame(Secrets.hash(password), hash);
    }
  }

  public PasswordHasher() {
    this(KIBIBYTES, PASSES, MAX_WAIT);
  }

  /** Tests hash many passwords at a low cost, and hold them as long as they need. */
  PasswordHasher(int kibibytes, int passes, Duration maxWait) {
    this.maxWait = maxWait;
    PasswordEncoder argon2 =
        new Argon2PasswordEncoder(SALT_OCTETS, HASH_OCTETS, LANES, kibibytes, passes);
    encoder =
        new DelegatingPasswordEncoder(
            CHOSEN, Map.of(CHOSEN, argon2, "sha256", new RandomPasswordEncoder()));
    // Hashes of older versions have no algorithm prefix.
    encoder.setDefaultPasswordEncoderForMatches(argon2);
  }

  /** Hashes a random password. */
  public static String ofRandom(String password) {
    return RANDOM + Secrets.hash(password);
  }

  /** Hashes a password that a person has chosen. */
  public String hash(String password) {
    return bounded(() -> encode(password));
  }

  /**
   * @param hash of the account's password; null: the account has no password
   * @param before called when this attempt's turn comes; may throw to refuse the attempt
   */
  public boolean matches(String password, @Nullable String hash, Runnable before) {
    return bounded(
        () -> {
          before.run();
          return matches(password, hash);
        });
  }

  /** Always runs Argon2id once, so that the duration does not reveal the kind of account. */
  private boolean matches(String password, @Nullable String hash) {
    String text = normalized(password);
    boolean fast = hash == null || hash.startsWith(RANDOM);
    boolean slowly = encoder.matches(text, fast ? nobodysHash() : hash);
    return hash != null && (fast ? encoder.matches(text, hash) : slowly);
  }

  /** Whether a hash comes from an older version and should be replaced. */
  public boolean isOutdated(String hash) {
    return encoder.upgradeEncoding(hash);
  }

  private String nobodysHash() {
    String known = nobody;
    if (known == null) {
      known = encode("");
      nobody = known;
    }
    return known;
  }

  private String encode(String password) {
    String hash = encoder.encode(normalized(password));
    if (hash == null) {
      throw new IllegalStateException("no hash");
    }
    return hash;
  }

  /**
   * Normalizes a password, because keyboards compose characters differently (RFC 8265 section 4.2).
   */
  public static String normalized(String password) {
    return Normalizer.normalize(password, Normalizer.Form.NFC);
  }

  /** The number of passwords that wait for hashing. */
  public int waiting() {
    return running.getQueueLength();
  }

  private <T> T bounded(Supplier<T> work) {
    if (waiting() >= MAX_WAITING) {
      throw busy();
    }
    try {
      if (!running.tryAcquire(maxWait.toNanos(), TimeUnit.NANOSECONDS)) {
        throw busy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw busy();
    }
    try {
      return work.get();
    } finally {
      running.release();
    }
  }

  private static ProblemException busy() {
    return new ProblemException(
        ProblemType.OVERLOADED, "too many passwords are being checked; try again", RETRY_SECONDS);
  }
}
