package dev.vigil.border.ipsec;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Protocol;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A manually keyed security association. Its text form contains no keys.
 *
 * @param name unique; for counters and storage
 * @param source of the packets
 * @param destination of the packets
 * @param spi 32 bits, not 0
 * @param protection the header and its algorithms
 * @param window size of the replay window
 */
public record Association(
    String name,
    Ipv6Address source,
    Ipv6Address destination,
    int spi,
    Protection protection,
    int window) {
  /**
   * The SPI that compression elides (Raza 2011). It is useful only between nodes that also match
   * the source address.
   */
  public static final int DEFAULT_SPI = 1;

  public static final int DEFAULT_WINDOW = 64;

  public Association {
    if (spi == 0) {
      throw new IllegalArgumentException("SPI 0 is reserved (RFC 4303, section 2.1)");
    }
  }

  /** Whether another association differs from this one at most in its name. */
  public boolean isSameAs(Association other) {
    return source.equals(other.source)
        && destination.equals(other.destination)
        && spi == other.spi
        && protection.equals(other.protection)
        && window == other.window;
  }

  /** A header with its algorithms and keys. */
  public sealed interface Protection {
    /** 50 or 51. */
    int protocol();
  }

  /**
   * ESP.
   *
   * @param key cipher key, then salt
   * @param udpCompressed whether UDP headers are compressed before they are encrypted
   */
  public record EspProtection(
      Encryption encryption,
      byte[] key,
      Integrity integrity,
      byte[] integrityKey,
      boolean udpCompressed)
      implements Protection {
    /** ESP that any host can read. */
    public EspProtection(
        Encryption encryption, byte[] key, Integrity integrity, byte[] integrityKey) {
      this(encryption, key, integrity, integrityKey, false);
    }

    /** The key of the cipher without its salt; empty for {@link Encryption#NULL}. */
    public byte[] cipherKey() {
      return Arrays.copyOf(key, Math.max(0, key.length - encryption.saltLength()));
    }

    @Override
    public int protocol() {
      return Protocol.ESP;
    }

    @Override
    public String toString() {
      return "ESP " + encryption + " " + integrity + (udpCompressed ? " with compressed UDP" : "");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof EspProtection esp
          && encryption == esp.encryption
          && integrity == esp.integrity
          && udpCompressed == esp.udpCompressed
          && MessageDigest.isEqual(key, esp.key)
          && MessageDigest.isEqual(integrityKey, esp.integrityKey);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(key) * 31 + Arrays.hashCode(integrityKey);
    }
  }

  /** AH. */
  public record AhProtection(Integrity integrity, byte[] key) implements Protection {
    @Override
    public int protocol() {
      return Protocol.AH;
    }

    @Override
    public String toString() {
      return "AH " + integrity;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof AhProtection ah
          && integrity == ah.integrity
          && MessageDigest.isEqual(key, ah.key);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(key);
    }
  }
}
