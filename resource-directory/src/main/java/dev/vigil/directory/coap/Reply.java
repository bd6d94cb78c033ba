package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Response;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a client is sent: an answer, without what the client has already (RFC 7252 section 5.10.6).
 *
 * @param maxAge seconds, or {@link Response#NO_MAX_AGE}
 */
record Reply(
    Code code,
    byte @Nullable [] tag,
    @Nullable ContentFormat format,
    long maxAge,
    List<String> location,
    byte[] payload) {

  /** Bodies beyond this travel in blocks, whose reader needs a tag to tell states apart. */
  static final int ONE_MESSAGE = 1024;

  private static final byte[] NOTHING = {};

  static Reply of(Response answer, List<byte[]> knownTags) {
    byte[] tag = tag(answer);
    long maxAge =
        answer.maxAge() == Response.NO_MAX_AGE
            ? Response.NO_MAX_AGE
            : Math.clamp(answer.maxAge(), 0, 0xffff_ffffL);
    boolean known = tag != null && answer.code() == Code.CONTENT && isAmong(knownTags, tag);
    return known
        ? new Reply(Code.VALID, tag, null, maxAge, answer.location(), NOTHING)
        : new Reply(
            answer.code(), tag, answer.format(), maxAge, answer.location(), answer.payload());
  }

  private static boolean isAmong(List<byte[]> knownTags, byte[] tag) {
    for (byte[] known : knownTags) {
      if (Arrays.equals(known, tag)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The answer's own tag; for a long body without one a tag of its content (RFC 7959 section 2.4),
   * marked by a first octet that no {@link dev.vigil.directory.exchange.EntityTag} begins with.
   */
  private static byte @Nullable [] tag(Response answer) {
    if (answer.tag() != null) {
      return answer.tag().octets();
    }
    if (answer.code() != Code.CONTENT || answer.payload().length <= ONE_MESSAGE) {
      return null;
    }
    CRC32C sum = new CRC32C();
    sum.update(answer.payload());
    int length = answer.payload().length;
    long value = sum.getValue();
    return new byte[] {
      (byte) 0xff,
      (byte) (length >> 16),
      (byte) (length >> 8),
      (byte) length,
      (byte) (value >> 24),
      (byte) (value >> 16),
      (byte) (value >> 8),
      (byte) value
    };
  }
}
