package dev.vigil.gateway.cli.recovery;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * The keys that Argon2id (RFC 9106) derives from a passphrase and a salt. One key encrypts the
 * content of a backup. The other authenticates its header, which distinguishes a wrong passphrase
 * from a damaged file.
 */
final class PassphraseKey {
  static final int TAG_OCTETS = 32;
  private static final int KEY_OCTETS = 32;
  private static final String MAC = "HmacSHA256";

  private final SecretKey content;
  private final SecretKey header;

  private PassphraseKey(byte[] octets) {
    content = new SecretKeySpec(octets, 0, KEY_OCTETS, "AES");
    header = new SecretKeySpec(octets, KEY_OCTETS, KEY_OCTETS, MAC);
  }

  /**
   * The cost of a derivation.
   *
   * @param memoryKib in KiB
   */
  record Cost(int memoryKib, int iterations, int lanes) {
    /** The second recommended option of RFC 9106 section 4, for machines with little memory. */
    static final Cost RECOMMENDED = new Cost(65_536, 3, 4);
  }

  /**
   * The cost and the salt of a derivation.
   *
   * @param memoryKib in KiB
   */
  record Parameters(int memoryKib, int iterations, int lanes, byte[] salt) {
    private static final int SALT_OCTETS = 16;

    /** The limit prevents a forged file from using up the machine's memory. */
    private static final int MAX_MEMORY_KIB = 262_144;

    private static final int MAX_ITERATIONS = 16;
    private static final int MAX_LANES = 16;

    static Parameters fresh(Cost cost, SecureRandom random) {
      byte[] salt = new byte[SALT_OCTETS];
      random.nextBytes(salt);
      return new Parameters(cost.memoryKib(), cost.iterations(), cost.lanes(), salt);
    }

    /**
     * @throws BackupException when the parameters are larger than in every version of Vigil
     */
    static Parameters of(long memoryKib, long iterations, long lanes, byte[] salt)
        throws BackupException {
      boolean sound =
          lanes >= 1
              && lanes <= MAX_LANES
              && memoryKib >= 8 * lanes
              && memoryKib <= MAX_MEMORY_KIB
              && iterations >= 1
              && iterations <= MAX_ITERATIONS
              && salt.length == SALT_OCTETS;
      if (!sound) {
        throw new BackupException("its header is not one that Vigil writes");
      }
      return new Parameters((int) memoryKib, (int) iterations, (int) lanes, salt);
    }
  }

  static PassphraseKey derive(char[] passphrase, Parameters parameters) {
    Argon2BytesGenerator generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(parameters.memoryKib())
            .withIterations(parameters.iterations())
            .withParallelism(parameters.lanes())
            .withSalt(parameters.salt())
            .build());
    byte[] octets = new byte[2 * KEY_OCTETS];
    generator.generateBytes(passphrase, octets);
    PassphraseKey key = new PassphraseKey(octets);
    Arrays.fill(octets, (byte) 0);
    return key;
  }

  /** The key of the content. */
  SecretKey content() {
    return content;
  }

  /** The tag of a header. */
  byte[] tag(byte[] headerLine) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(header);
      return mac.doFinal(headerLine);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  boolean isTag(byte[] headerLine, byte[] tag) {
    return MessageDigest.isEqual(tag(headerLine), tag);
  }
}
