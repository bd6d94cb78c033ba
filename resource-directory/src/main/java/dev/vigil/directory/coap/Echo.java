package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.Response;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Shows that a source address is the sender's own (RFC 9175 section 2.3, appendix A.2): a value
 * that names the second it was made and is bound to the address by a key nobody else has. Nothing
 * is kept per source.
 */
final class Echo {
  private static final String ALGORITHM = "HmacSHA256";

  /** An answer to an unverified source may be this many times its request (RFC 9175 sec. 2.6). */
  private static final int AMPLIFICATION = 3;

  private static final int TIME_OCTETS = 4;
  private static final int MAC_OCTETS = 8;

  /** Long enough for a mote on a slow network, short enough that an address is still its own. */
  private static final int VALID_SECONDS = 300;

  private final SecretKeySpec key;
  private final Clock clock;

  Echo(SecureRandom random, Clock clock) {
    byte[] octets = new byte[32];
    random.nextBytes(octets);
    this.key = new SecretKeySpec(octets, ALGORITHM);
    this.clock = clock;
  }

  /**
   * An answer as its asker may be told it.
   *
   * @param challenge for the Echo option, when the asker is to repeat its request with it
   */
  record Told(Response answer, byte @Nullable [] challenge) {}

  /**
   * @param octets of the request
   */
  Told told(Caller caller, int octets, Response answer) {
    boolean unauthorized = answer.code() == Code.UNAUTHORIZED;
    if (caller.verified() || !unauthorized && !isLarge(octets, answer)) {
      return new Told(answer, null);
    }
    return new Told(
        unauthorized ? answer : Response.diagnostic(Code.UNAUTHORIZED, "repeat with Echo"),
        challenge(caller.source()));
  }

  /** Whether a sender must show that its address is its own before it is told so much. */
  static boolean isLarge(int octets, Response answer) {
    return answer.payload().length > AMPLIFICATION * octets;
  }

  byte[] challenge(InetSocketAddress source) {
    return value(source, (int) clock.instant().getEpochSecond());
  }

  boolean answers(byte[] value, InetSocketAddress source) {
    if (value.length != TIME_OCTETS + MAC_OCTETS) {
      return false;
    }
    int made = ByteBuffer.wrap(value).getInt();
    int age = (int) clock.instant().getEpochSecond() - made;
    return age >= 0 && age <= VALID_SECONDS && MessageDigest.isEqual(value, value(source, made));
  }

  private byte[] value(InetSocketAddress source, int seconds) {
    byte[] time = ByteBuffer.allocate(TIME_OCTETS).putInt(seconds).array();
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(time);
      mac.update(source.getAddress().getAddress());
      mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(source.getPort()).array());
      byte[] value = Arrays.copyOf(time, TIME_OCTETS + MAC_OCTETS);
      System.arraycopy(mac.doFinal(), 0, value, TIME_OCTETS, MAC_OCTETS);
      return value;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
