package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that came in one datagram and needs no more than one for its answer, as far as it tells
 * (RFC 7252 section 3): no blocks, no observation, nothing that is refused.
 *
 * @param id the message ID
 * @param tags the ETags of what the client has
 * @param echo the Echo option's value (RFC 9175), empty without one
 * @param unwanted the No-Response option's value (RFC 7967), 0 without one
 */
record Brief(
    boolean confirmable,
    int id,
    byte[] token,
    Method method,
    List<String> path,
    Query query,
    @Nullable ContentFormat format,
    List<ContentFormat> accept,
    List<byte[]> tags,
    byte[] echo,
    int unwanted,
    byte[] payload) {

  private static final int ETAG = 4;
  private static final int LOCATION_PATH = 8;
  private static final int URI_PATH = 11;
  private static final int CONTENT_FORMAT = 12;
  private static final int MAX_AGE = 14;
  private static final int URI_QUERY = 15;
  private static final int ACCEPT = 17;
  private static final int ECHO = 252;
  private static final int NO_RESPONSE = 258;

  private static final int LONGEST_TOKEN = 8;
  private static final int LONGEST_TEXT = 255;
  private static final int LONGEST_TAG = 8;
  private static final int LONGEST_ECHO = 40;
  private static final int PAYLOAD_MARKER = 0xff;

  private static final int ONE_OCTET_MORE = 13;
  private static final int TWO_OCTETS_MORE = 14;
  private static final int RESERVED = 15;

  private static final int VERSION_1 = 0x40;
  private static final int NON = 0x10;
  private static final int ACK = 0x20;

  /** Header, token, ETag, Content-Format, Max-Age, Echo and the payload's marker. */
  private static final int MOST_BESIDES = 4 + 8 + 9 + 3 + 5 + 43 + 1;

  private static final byte[] NOTHING = {};

  /** What was read so far. */
  private static final class Options {
    final List<String> path = new ArrayList<>(4);
    final List<Query.Parameter> query = new ArrayList<>();
    final List<byte[]> tags = new ArrayList<>(0);
    int format = -1;
    int accept = -1;
    byte[] echo = NOTHING;
    int unwanted;

    /**
     * Takes one option.
     *
     * @param again whether it comes once more
     * @return false when it is none that is known here, or malformed
     */
    boolean take(int number, boolean again, byte[] value) {
      return switch (number) {
        case ETAG -> value.length >= 1 && value.length <= LONGEST_TAG && tags.add(value);
        case URI_PATH -> {
          String segment = text(value);
          yield segment != null && Messages.isPathSegment(segment) && path.add(segment);
        }
        case URI_QUERY -> {
          String parameter = text(value);
          yield parameter != null
              && Messages.isParameter(parameter)
              && query.add(Query.Parameter.parse(parameter));
        }
        case CONTENT_FORMAT -> {
          format = again ? -1 : number(value, 2);
          yield format >= 0;
        }
        case ACCEPT -> {
          accept = again ? -1 : number(value, 2);
          yield accept >= 0;
        }
        case ECHO -> {
          echo = value;
          yield !again && value.length >= 1 && value.length <= LONGEST_ECHO;
        }
        case NO_RESPONSE -> {
          unwanted = again ? -1 : number(value, 1);
          yield unwanted >= 0;
        }
        default -> false;
      };
    }

    private static @Nullable String text(byte[] value) {
      return value.length > LONGEST_TEXT ? null : new String(value, StandardCharsets.UTF_8);
    }

    private static int number(byte[] value, int most) {
      if (value.length > most) {
        return -1;
      }
      int number = 0;
      for (byte octet : value) {
        number = number << 8 | octet & 0xff;
      }
      return number;
    }
  }

  /** Null for everything else, malformed or not: whoever knows all of CoAP judges it. */
  static @Nullable Brief read(byte[] datagram) {
    ByteBuffer in = ByteBuffer.wrap(datagram);
    if (in.remaining() < 4) {
      return null;
    }
    int first = in.get() & 0xff;
    boolean confirmable = (first & 0xf0) == VERSION_1;
    int tokenLength = first & 0xf;
    Method method = method(in.get());
    int id = in.getShort() & 0xffff;
    if (!confirmable && (first & 0xf0) != (VERSION_1 | NON)
        || method == null
        || tokenLength > Math.min(LONGEST_TOKEN, in.remaining())) {
      return null;
    }
    byte[] token = take(in, tokenLength);
    Options options = new Options();
    byte[] payload = readOptions(in, options);
    if (payload == null) {
      return null;
    }
    ContentFormat format = ContentFormat.ofNumber(options.format).orElse(null);
    ContentFormat accept = ContentFormat.ofNumber(options.accept).orElse(null);
    if (format == null && options.format >= 0 && payload.length > 0
        || accept == null && options.accept >= 0) {
      return null;
    }
    return new Brief(
        confirmable,
        id,
        token,
        method,
        options.path,
        options.query.isEmpty() ? Query.EMPTY : new Query(options.query),
        format,
        accept == null ? List.of() : List.of(accept),
        options.tags,
        options.echo,
        options.unwanted,
        payload);
  }

  private static @Nullable Method method(byte code) {
    return switch (code) {
      case 1 -> Method.GET;
      case 2 -> Method.POST;
      case 3 -> Method.PUT;
      case 4 -> Method.DELETE;
      default -> null;
    };
  }

  /** The payload behind them; null when something is not known here, or malformed. */
  private static byte @Nullable [] readOptions(ByteBuffer in, Options options) {
    int number = 0;
    while (in.hasRemaining()) {
      int head = in.get() & 0xff;
      if (head == PAYLOAD_MARKER) {
        return in.hasRemaining() ? take(in, in.remaining()) : null;
      }
      int delta = extended(in, head >> 4);
      int length = extended(in, head & 0xf);
      if (delta < 0 || length < 0 || length > in.remaining()) {
        return null;
      }
      number += delta;
      if (!options.take(number, delta == 0, take(in, length))) {
        return null;
      }
    }
    return NOTHING;
  }

  /** RFC 7252 section 3.1; -1 when there is none. */
  private static int extended(ByteBuffer in, int nibble) {
    return switch (nibble) {
      case ONE_OCTET_MORE -> in.remaining() < 1 ? -1 : 13 + (in.get() & 0xff);
      case TWO_OCTETS_MORE -> in.remaining() < 2 ? -1 : 269 + (in.getShort() & 0xffff);
      case RESERVED -> -1;
      default -> nibble;
    };
  }

  private static byte[] take(ByteBuffer in, int length) {
    byte[] octets = new byte[length];
    in.get(octets);
    return octets;
  }

  Request request(Caller caller, String base) {
    return new Request(method, path, query, format, payload, accept, confirmable, caller, base);
  }

  /** Whether the client does not want to hear that (RFC 7967 section 2.1). */
  boolean isUnwanted(Code code) {
    int codeClass = code.octet() >> 5;
    return (unwanted & 1 << codeClass - 1) != 0;
  }

  /** An acknowledgement that says nothing else. */
  byte[] acknowledgement() {
    return new byte[] {VERSION_1 | ACK, 0, (byte) (id >> 8), (byte) id};
  }

  /**
   * The datagram that answers this one: in its acknowledgement, or as little confirmed as it was.
   *
   * @param challenge an Echo value, or null
   * @param ownId the message ID of an answer that is no acknowledgement
   */
  byte[] answered(Reply reply, byte @Nullable [] challenge, int ownId) {
    int most = MOST_BESIDES + reply.payload().length;
    for (String segment : reply.location()) {
      most += 3 + 3 * segment.length();
    }
    ByteBuffer out = ByteBuffer.allocate(most);
    out.put((byte) (VERSION_1 | (confirmable ? ACK : NON) | token.length));
    out.put((byte) reply.code().octet());
    out.putShort((short) (confirmable ? id : ownId));
    out.put(token);
    int last = 0;
    byte[] tag = reply.tag();
    if (tag != null) {
      last = option(out, last, ETAG, tag);
    }
    for (String segment : reply.location()) {
      last = option(out, last, LOCATION_PATH, segment.getBytes(StandardCharsets.UTF_8));
    }
    if (reply.format() != null) {
      last = option(out, last, CONTENT_FORMAT, octets(reply.format().number()));
    }
    if (reply.maxAge() != Response.NO_MAX_AGE) {
      last = option(out, last, MAX_AGE, octets(reply.maxAge()));
    }
    if (challenge != null) {
      option(out, last, ECHO, challenge);
    }
    if (reply.payload().length > 0) {
      out.put((byte) PAYLOAD_MARKER).put(reply.payload());
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  private static int option(ByteBuffer out, int last, int number, byte[] value) {
    int delta = number - last;
    out.put((byte) (nibble(delta) << 4 | nibble(value.length)));
    extend(out, delta);
    extend(out, value.length);
    out.put(value);
    return number;
  }

  /** Of a number below 269, which all here are. */
  private static int nibble(int number) {
    return Math.min(number, ONE_OCTET_MORE);
  }

  private static void extend(ByteBuffer out, int number) {
    if (number >= ONE_OCTET_MORE) {
      out.put((byte) (number - ONE_OCTET_MORE));
    }
  }

  /** Without leading zeros (RFC 7252 section 3.2). */
  private static byte[] octets(long number) {
    int length = (Long.SIZE - Long.numberOfLeadingZeros(number) + 7) / 8;
    byte[] octets = new byte[length];
    for (int i = 0; i < length; i++) {
      octets[length - 1 - i] = (byte) (number >>> 8 * i);
    }
    return octets;
  }
}
