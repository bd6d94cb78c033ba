package dev.vigil.coap.message;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.Response;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.californium.core.coap.BlockOption;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that a source address is the sender's own, by the Echo option (RFC 9175 section 2.3 and
 * appendix A.2), and limits responses to unverified sources. An Echo value holds its time of
 * creation in seconds and a MAC over this time and the address. The server therefore keeps no state
 * for each source.
 */
public final class EchoVerifier {
  private static final String ALGORITHM = "HmacSHA256";

  /**
   * The largest ratio of a response's payload to its request from an unverified source (RFC 9175
   * section 2.4). With the headers of UDP and IP, a packet is then less than three times as long.
   */
  private static final int MAX_AMPLIFICATION = 3;

  /** The response to a request that an unverified source must repeat with an Echo option. */
  public static final Response CHALLENGE =
      Response.diagnostic(Code.UNAUTHORIZED, "repeat with Echo");

  private static final int TIME_OCTETS = 4;
  private static final int MAC_OCTETS = 8;

  /** Long enough for a device on a slow network, short enough that an address has one holder. */
  private static final int VALID_SECONDS = 300;

  /**
   * One for each thread, because creating a MAC object costs several times as much as computing a
   * MAC.
   */
  private final ThreadLocal<Mac> macs;

  private final Clock clock;
  private final LongAdder challenges = new LongAdder();
  private final LongAdder proofs = new LongAdder();

  /** Makes a verifier that accepts only its own values. */
  public EchoVerifier(SecureRandom random, Clock clock) {
    this(random(random), clock);
  }

  /** Makes a verifier that accepts the values of every verifier with this key of 32 octets. */
  public EchoVerifier(byte[] octets, Clock clock) {
    SecretKeySpec key = new SecretKeySpec(octets, ALGORITHM);
    this.macs = ThreadLocal.withInitial(() -> mac(key));
    this.clock = clock;
  }

  private static byte[] random(SecureRandom random) {
    byte[] octets = new byte[32];
    random.nextBytes(octets);
    return octets;
  }

  /**
   * A response that may be sent to the caller.
   *
   * @param echo value of the Echo option with which the caller may repeat its request; null if the
   *     response needs no Echo option
   */
  public record LimitedResponse(Response response, byte @Nullable [] echo) {}

  /**
   * Replaces a response that is too large for an unverified caller: an error loses its diagnostic
   * payload, any other response becomes a challenge (4.01 with Echo).
   *
   * @param requestOctets length of the request's datagram
   */
  public LimitedResponse limit(Caller caller, int requestOctets, Response response) {
    return limit(caller, requestOctets, response, response.payload().length);
  }

  /**
   * As {@link #limit(Caller, int, Response)} for a response that is sent in blocks. An unverified
   * caller gets an Echo value with it: one that includes this value in its next requests gets
   * larger blocks (RFC 9175 section 2.3).
   *
   * @param payloadOctets maximum payload of the message to be sent
   */
  public LimitedResponse limit(
      Caller caller, int requestOctets, Response response, int payloadOctets) {
    if (caller.verified()) {
      return new LimitedResponse(response, null);
    }
    boolean unauthorized = response.code() == Code.UNAUTHORIZED;
    boolean cut = payloadOctets < response.payload().length;
    if (!unauthorized && !isTooLarge(requestOctets, payloadOctets)) {
      return new LimitedResponse(response, cut ? challenge(caller) : null);
    }
    if (!unauthorized && !response.code().isSuccess() && response.format() == null) {
      return new LimitedResponse(Response.of(response.code()).withMaxAge(response.maxAge()), null);
    }
    return new LimitedResponse(unauthorized ? response : CHALLENGE, challenge(caller));
  }

  private byte[] challenge(Caller caller) {
    challenges.increment();
    return echo(caller.source(), seconds());
  }

  /** Whether a payload is too large for an unverified source. */
  public static boolean isTooLarge(int requestOctets, int payloadOctets) {
    return payloadOctets > MAX_AMPLIFICATION * requestOctets;
  }

  /**
   * Whether the content of a resource is too large for an unverified caller, who can read it in
   * small blocks (RFC 7959): each block answers a request of its own.
   */
  public static boolean needsBlocks(Caller caller, int requestOctets, int payloadOctets) {
    return !caller.verified() && isTooLarge(requestOctets, payloadOctets);
  }

  /**
   * The size exponent of the largest block that may be sent to an unverified source.
   *
   * @param szx the largest size exponent that is wanted
   */
  public static int largestBlock(int requestOctets, int szx) {
    int largest = szx;
    while (largest > 0 && isTooLarge(requestOctets, BlockOption.szx2Size(largest))) {
      largest--;
    }
    return largest;
  }

  /** Whether an Echo value was issued to this source and has not expired. */
  public boolean isValid(byte[] echo, InetSocketAddress source) {
    if (echo.length != TIME_OCTETS + MAC_OCTETS) {
      return false;
    }
    int created = ByteBuffer.wrap(echo).getInt();
    int age = seconds() - created;
    boolean valid =
        age >= 0 && age <= VALID_SECONDS && MessageDigest.isEqual(echo, echo(source, created));
    if (valid) {
      proofs.increment();
    }
    return valid;
  }

  /** The number of responses with a new Echo value since the start. */
  public long challenges() {
    return challenges.sum();
  }

  /** The number of requests with a valid Echo value since the start. */
  public long proofs() {
    return proofs.sum();
  }

  private int seconds() {
    return (int) clock.instant().getEpochSecond();
  }

  private byte[] echo(InetSocketAddress source, int seconds) {
    byte[] time = ByteBuffer.allocate(TIME_OCTETS).putInt(seconds).array();
    Mac mac = macs.get();
    mac.update(time);
    mac.update(source.getAddress().getAddress());
    mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(source.getPort()).array());
    byte[] value = Arrays.copyOf(time, TIME_OCTETS + MAC_OCTETS);
    System.arraycopy(mac.doFinal(), 0, value, TIME_OCTETS, MAC_OCTETS);
    return value;
  }

  private static Mac mac(SecretKeySpec key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
