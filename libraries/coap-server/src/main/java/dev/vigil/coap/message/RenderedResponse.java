package dev.vigil.coap.message;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Response;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A response as it is sent to one client: 2.03 without a payload if the client already has the
 * current state (RFC 7252 section 5.10.6).
 *
 * @param tag value of the ETag option, null without one
 * @param maxAge seconds, or {@link Response#NO_MAX_AGE}
 */
public record RenderedResponse(
    Code code,
    byte @Nullable [] tag,
    @Nullable ContentFormat format,
    long maxAge,
    List<String> location,
    byte[] payload) {

  /** Octets of the largest payload of one message; longer bodies are sent in blocks. */
  public static final int MAX_PAYLOAD = 1024;

  private static final byte[] NO_PAYLOAD = {};

  /**
   * @param knownTags the ETags in the client's request
   */
  public static RenderedResponse of(Response response, List<byte[]> knownTags) {
    return of(response, knownTags, MAX_PAYLOAD);
  }

  /**
   * @param knownTags the ETags in the client's request
   * @param maxPayload octets of the largest payload that is not sent in blocks
   */
  static RenderedResponse of(Response response, List<byte[]> knownTags, int maxPayload) {
    byte[] tag = tag(response, maxPayload);
    long maxAge =
        response.maxAge() == Response.NO_MAX_AGE
            ? Response.NO_MAX_AGE
            : Math.clamp(response.maxAge(), 0, 0xffff_ffffL);
    boolean isKnown = tag != null && response.code() == Code.CONTENT && contains(knownTags, tag);
    return isKnown
        ? new RenderedResponse(Code.VALID, tag, null, maxAge, response.location(), NO_PAYLOAD)
        : new RenderedResponse(
            response.code(),
            tag,
            response.format(),
            maxAge,
            response.location(),
            response.payload());
  }

  private static boolean contains(List<byte[]> knownTags, byte[] tag) {
    for (byte[] known : knownTags) {
      if (Arrays.equals(known, tag)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The ETag of the response. A body in blocks needs one, so that the client does not mix the
   * blocks of two states (RFC 7959 section 2.4). If the response has none, the tag is a checksum of
   * the body; its first octet differs from that of every {@link dev.vigil.coap.exchange.EntityTag}.
   */
  private static byte @Nullable [] tag(Response response, int maxPayload) {
    if (response.tag() != null) {
      return response.tag().octets();
    }
    if (response.code() != Code.CONTENT || response.payload().length <= maxPayload) {
      return null;
    }
    CRC32C sum = new CRC32C();
    sum.update(response.payload());
    int length = response.payload().length;
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
