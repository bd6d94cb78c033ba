package dev.vigil.coap.fastpath;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.message.CaliforniumMessages;
import dev.vigil.coap.message.RenderedResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes {@link SimpleRequest}s and encodes their responses (RFC 7252 section 3). It decodes
 * octets as Californium does and encodes the same octets as Californium; the tests compare both.
 */
final class SimpleRequestCodec {
  private static final int ETAG = 4;
  private static final int LOCATION_PATH = 8;
  private static final int URI_PATH = 11;
  private static final int CONTENT_FORMAT = 12;
  private static final int MAX_AGE = 14;
  private static final int URI_QUERY = 15;
  private static final int ACCEPT = 17;
  private static final int ECHO = 252;
  private static final int NO_RESPONSE = 258;

  private static final int HEADER_OCTETS = 4;
  private static final int MAX_TOKEN = 8;
  private static final int MAX_STRING = 255;
  private static final int MAX_ETAG = 8;
  private static final int MAX_ECHO = 40;
  private static final int PAYLOAD_MARKER = 0xff;

  /**
   * Nibble values of an option's delta or length that announce extra octets (RFC 7252 section 3.1).
   */
  private static final int ONE_OCTET_MORE = 13;

  private static final int TWO_OCTETS_MORE = 14;
  private static final int RESERVED = 15;

  private static final int VERSION_1 = 0x40;
  private static final int NON = 0x10;
  private static final int ACK = 0x20;

  /** Header, token, ETag, Content-Format, Max-Age, Echo and the payload marker of a response. */
  private static final int MAX_WITHOUT_LOCATION = HEADER_OCTETS + MAX_TOKEN + 9 + 3 + 5 + 43 + 1;

  private static final byte[] EMPTY = {};

  private SimpleRequestCodec() {}

  /** Receives the options of a message in order. */
  private interface OptionReader {
    /**
     * @param repeated whether the previous option has the same number
     * @return false to stop decoding the message
     */
    boolean add(int number, boolean repeated, byte[] value);
  }

  /** The options of a request that the fast path may serve. */
  private static final class Options implements OptionReader {
    final List<String> path = new ArrayList<>(4);
    final List<Query.Parameter> query = new ArrayList<>();
    final List<byte[]> tags = new ArrayList<>(0);
    int format = -1;
    int accept = -1;
    byte[] echo = EMPTY;
    int noResponse;

    /**
     * @return false if the option is malformed, or not supported here
     */
    @Override
    public boolean add(int number, boolean repeated, byte[] value) {
      return switch (number) {
        case ETAG -> value.length >= 1 && value.length <= MAX_ETAG && tags.add(value);
        case URI_PATH -> {
          String segment = text(value);
          yield segment != null && CaliforniumMessages.isPathSegment(segment) && path.add(segment);
        }
        case URI_QUERY -> {
          String parameter = text(value);
          yield parameter != null
              && CaliforniumMessages.isParameter(parameter)
              && query.add(Query.Parameter.parse(parameter));
        }
        case CONTENT_FORMAT -> {
          format = repeated ? -1 : uint(value, 2);
          yield format >= 0;
        }
        case ACCEPT -> {
          accept = repeated ? -1 : uint(value, 2);
          yield accept >= 0;
        }
        case ECHO -> {
          echo = value;
          yield !repeated && value.length >= 1 && value.length <= MAX_ECHO;
        }
        case NO_RESPONSE -> {
          noResponse = repeated ? -1 : uint(value, 1);
          yield noResponse >= 0;
        }
        default -> false;
      };
    }

    private static @Nullable String text(byte[] value) {
      return value.length > MAX_STRING ? null : new String(value, StandardCharsets.UTF_8);
    }

    private static int uint(byte[] value, int maxOctets) {
      if (value.length > maxOctets) {
        return -1;
      }
      int number = 0;
      for (byte octet : value) {
        number = number << 8 | octet & 0xff;
      }
      return number;
    }
  }

  /** The first octets of a request. */
  private record Header(boolean confirmable, Method method, int id, byte[] token) {
    /** Null for a message that is not a request or is malformed. */
    static @Nullable Header read(ByteBuffer in) {
      if (in.remaining() < HEADER_OCTETS) {
        return null;
      }
      int first = in.get() & 0xff;
      boolean confirmable = (first & 0xf0) == VERSION_1;
      int tokenLength = first & 0xf;
      Method method = methodOf(in.get());
      int id = in.getShort() & 0xffff;
      if (!confirmable && (first & 0xf0) != (VERSION_1 | NON)
          || method == null
          || tokenLength > Math.min(MAX_TOKEN, in.remaining())) {
        return null;
      }
      return new Header(confirmable, method, id, octets(in, tokenLength));
    }
  }

  /**
   * Decodes only the parts of a request that a challenge needs, without path and payload. The
   * request may have any options. Null if the datagram is not a well-formed request.
   */
  static @Nullable SimpleRequest decodeForChallenge(byte[] datagram) {
    ByteBuffer in = ByteBuffer.wrap(datagram);
    Header header = Header.read(in);
    Options options = new Options();
    OptionReader reader =
        (number, repeated, value) ->
            number != ECHO && number != NO_RESPONSE || options.add(number, repeated, value);
    if (header == null || decodeOptions(in, reader) == null) {
      return null;
    }
    return new SimpleRequest(
        header.confirmable(),
        header.id(),
        header.token(),
        header.method(),
        List.of(),
        Query.EMPTY,
        null,
        List.of(),
        List.of(),
        options.echo,
        options.noResponse,
        EMPTY);
  }

  /** Null for any other datagram, malformed or not; Californium then rejects or serves it. */
  static @Nullable SimpleRequest decode(byte[] datagram) {
    ByteBuffer in = ByteBuffer.wrap(datagram);
    Header header = Header.read(in);
    if (header == null) {
      return null;
    }
    Options options = new Options();
    byte[] payload = decodeOptions(in, options);
    if (payload == null) {
      return null;
    }
    ContentFormat format = ContentFormat.ofNumber(options.format).orElse(null);
    ContentFormat accept = ContentFormat.ofNumber(options.accept).orElse(null);
    if (format == null && options.format >= 0 && payload.length > 0
        || accept == null && options.accept >= 0) {
      return null;
    }
    return new SimpleRequest(
        header.confirmable(),
        header.id(),
        header.token(),
        header.method(),
        options.path,
        options.query.isEmpty() ? Query.EMPTY : new Query(options.query),
        format,
        accept == null ? List.of() : List.of(accept),
        options.tags,
        options.echo,
        options.noResponse,
        payload);
  }

  private static @Nullable Method methodOf(byte code) {
    return switch (code) {
      case 1 -> Method.GET;
      case 2 -> Method.POST;
      case 3 -> Method.PUT;
      case 4 -> Method.DELETE;
      default -> null;
    };
  }

  /** The payload after the options; null if an option is malformed, or not supported here. */
  private static byte @Nullable [] decodeOptions(ByteBuffer in, OptionReader options) {
    int number = 0;
    while (in.hasRemaining()) {
      int head = in.get() & 0xff;
      if (head == PAYLOAD_MARKER) {
        return in.hasRemaining() ? octets(in, in.remaining()) : null;
      }
      int delta = extended(in, head >> 4);
      int length = extended(in, head & 0xf);
      if (delta < 0 || length < 0 || length > in.remaining()) {
        return null;
      }
      number += delta;
      if (!options.add(number, delta == 0, octets(in, length))) {
        return null;
      }
    }
    return EMPTY;
  }

  /** The delta or length of a nibble (RFC 7252 section 3.1); -1 if malformed. */
  private static int extended(ByteBuffer in, int nibble) {
    return switch (nibble) {
      case ONE_OCTET_MORE -> in.remaining() < 1 ? -1 : 13 + (in.get() & 0xff);
      case TWO_OCTETS_MORE -> in.remaining() < 2 ? -1 : 269 + (in.getShort() & 0xffff);
      case RESERVED -> -1;
      default -> nibble;
    };
  }

  private static byte[] octets(ByteBuffer in, int length) {
    byte[] octets = new byte[length];
    in.get(octets);
    return octets;
  }

  /** The datagram of an empty acknowledgement. */
  static byte[] encodeEmptyAck(SimpleRequest request) {
    return new byte[] {VERSION_1 | ACK, 0, (byte) (request.id() >> 8), (byte) request.id()};
  }

  /**
   * The datagram of a response: in the acknowledgement of a confirmable request, else in a
   * non-confirmable message.
   *
   * @param echo value of the Echo option, null without one
   * @param messageId of a non-confirmable message
   */
  static byte[] encodeResponse(
      SimpleRequest request, RenderedResponse response, byte @Nullable [] echo, int messageId) {
    boolean confirmable = request.confirmable();
    int maxOctets = MAX_WITHOUT_LOCATION + response.payload().length;
    for (String segment : response.location()) {
      maxOctets += 3 + 3 * segment.length();
    }
    ByteBuffer out = ByteBuffer.allocate(maxOctets);
    out.put((byte) (VERSION_1 | (confirmable ? ACK : NON) | request.token().length));
    out.put((byte) response.code().octet());
    out.putShort((short) (confirmable ? request.id() : messageId));
    out.put(request.token());
    encodeOptions(out, response, echo);
    if (response.payload().length > 0) {
      out.put((byte) PAYLOAD_MARKER).put(response.payload());
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  private static void encodeOptions(
      ByteBuffer out, RenderedResponse response, byte @Nullable [] echo) {
    int last = 0;
    byte[] tag = response.tag();
    if (tag != null) {
      last = encodeOption(out, last, ETAG, tag);
    }
    for (String segment : response.location()) {
      last = encodeOption(out, last, LOCATION_PATH, segment.getBytes(StandardCharsets.UTF_8));
    }
    ContentFormat format = response.format();
    if (format != null) {
      last = encodeOption(out, last, CONTENT_FORMAT, uint(format.number()));
    }
    if (response.maxAge() != Response.NO_MAX_AGE) {
      last = encodeOption(out, last, MAX_AGE, uint(response.maxAge()));
    }
    if (echo != null) {
      encodeOption(out, last, ECHO, echo);
    }
  }

  private static int encodeOption(ByteBuffer out, int last, int number, byte[] value) {
    int delta = number - last;
    out.put((byte) (nibble(delta) << 4 | nibble(value.length)));
    extend(out, delta);
    extend(out, value.length);
    out.put(value);
    return number;
  }

  /** The nibble of a delta or length below 269; no response has larger values. */
  private static int nibble(int number) {
    return Math.min(number, ONE_OCTET_MORE);
  }

  private static void extend(ByteBuffer out, int number) {
    if (number >= ONE_OCTET_MORE) {
      out.put((byte) (number - ONE_OCTET_MORE));
    }
  }

  /** An unsigned integer without leading zero octets (RFC 7252 section 3.2). */
  private static byte[] uint(long number) {
    int length = (Long.SIZE - Long.numberOfLeadingZeros(number) + 7) / 8;
    byte[] octets = new byte[length];
    for (int i = 0; i < length; i++) {
      octets[length - 1 - i] = (byte) (number >>> 8 * i);
    }
    return octets;
  }
}
