package dev.vigil.border.ipv6;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/**
 * A header between the IPv6 header and the payload (RFC 8200, section 4; AH: RFC 4302). The next
 * header field is not part of this type; in a packet it follows from the order of the headers.
 */
public sealed interface ExtensionHeader {
  /** The protocol number of this header, in the next header field before it. */
  int protocol();

  /** Octets on the wire, next header and length fields included. */
  int length();

  /**
   * Options for every node on the path. {@code body}: the octets after the length, 8n+6 of them.
   */
  record HopByHop(byte[] body) implements ExtensionHeader {
    public HopByHop {
      requireUnits(body.length);
    }

    @Override
    public int protocol() {
      return Protocol.HOP_BY_HOP;
    }

    @Override
    public int length() {
      return 2 + body.length;
    }
  }

  /** Options for the destination. {@code body}: the octets after the length, 8n+6 of them. */
  record DestinationOptions(byte[] body) implements ExtensionHeader {
    public DestinationOptions {
      requireUnits(body.length);
    }

    @Override
    public int protocol() {
      return Protocol.DESTINATION_OPTIONS;
    }

    @Override
    public int length() {
      return 2 + body.length;
    }
  }

  /**
   * A route. {@code data}: the octets after segments left, 8n+4 of them; for type 3 see {@link
   * SourceRoute}.
   */
  record Routing(int type, int segmentsLeft, byte[] data) implements ExtensionHeader {
    public Routing {
      requireUnits(2 + data.length);
    }

    @Override
    public int protocol() {
      return Protocol.ROUTING;
    }

    @Override
    public int length() {
      return 4 + data.length;
    }
  }

  /**
   * The header of a fragment.
   *
   * @param reserved the second octet, kept as received
   * @param offsetAndFlags offset in octets in the upper 13 bits, two reserved bits, "more" in the
   *     lowest
   * @param identification 32 bits
   */
  record Fragment(int reserved, int offsetAndFlags, long identification)
      implements ExtensionHeader {
    static final int LENGTH = 8;

    /** The offset of this fragment in the fragmentable part, in octets. */
    public int offset() {
      return offsetAndFlags & 0xfff8;
    }

    public boolean more() {
      return (offsetAndFlags & 1) != 0;
    }

    @Override
    public int protocol() {
      return Protocol.FRAGMENT;
    }

    @Override
    public int length() {
      return LENGTH;
    }
  }

  /** Mobility (RFC 6275). {@code body}: the octets after the length, 8n+6 of them. */
  record Mobility(byte[] body) implements ExtensionHeader {
    public Mobility {
      requireUnits(body.length);
    }

    @Override
    public int protocol() {
      return Protocol.MOBILITY;
    }

    @Override
    public int length() {
      return 2 + body.length;
    }
  }

  /**
   * Authentication header (RFC 4302).
   *
   * @param reserved two octets, sent as zero
   * @param spi 32 bits
   * @param sequence 0 to 2^32-1
   * @param icv with its padding, a multiple of 4 octets
   */
  record Authentication(int reserved, int spi, long sequence, byte[] icv)
      implements ExtensionHeader {
    static final int FIXED = 12;

    public Authentication {
      if (icv.length % 4 != 0 || icv.length > 1016) {
        throw new IllegalArgumentException("an ICV field has up to 254 words of 4 octets");
      }
    }

    @Override
    public int protocol() {
      return Protocol.AH;
    }

    @Override
    public int length() {
      return FIXED + icv.length;
    }
  }

  /** Whether a protocol number announces one of these headers. */
  static boolean isExtension(int protocol) {
    return switch (protocol) {
      case Protocol.HOP_BY_HOP,
          Protocol.ROUTING,
          Protocol.FRAGMENT,
          Protocol.DESTINATION_OPTIONS,
          Protocol.MOBILITY,
          Protocol.AH ->
          true;
      default -> false;
    };
  }

  /**
   * Reads a header after its next header octet.
   *
   * @param protocol of the header
   * @throws WireException if the length field fits neither the protocol nor the octets left
   */
  static ExtensionHeader read(int protocol, WireReader in) throws WireException {
    int second = in.u8();
    return switch (protocol) {
      case Protocol.HOP_BY_HOP -> new HopByHop(in.bytes(6 + 8 * second));
      case Protocol.DESTINATION_OPTIONS -> new DestinationOptions(in.bytes(6 + 8 * second));
      case Protocol.MOBILITY -> new Mobility(in.bytes(6 + 8 * second));
      case Protocol.ROUTING -> new Routing(in.u8(), in.u8(), in.bytes(4 + 8 * second));
      case Protocol.FRAGMENT -> new Fragment(second, in.u16(), in.u32());
      case Protocol.AH -> {
        if (second < 1) {
          throw new WireException(Drop.AH_LENGTH);
        }
        yield new Authentication(in.u16(), (int) in.u32(), in.u32(), in.bytes(4 * (second - 1)));
      }
      default -> throw new IllegalArgumentException("no extension header: " + protocol);
    };
  }

  /** Writes the header with its next header field. */
  default void write(int nextHeader, WireWriter out) {
    out.u8(nextHeader);
    switch (this) {
      case HopByHop(byte[] body) -> out.u8(units(body.length)).bytes(body);
      case DestinationOptions(byte[] body) -> out.u8(units(body.length)).bytes(body);
      case Mobility(byte[] body) -> out.u8(units(body.length)).bytes(body);
      case Routing(int type, int left, byte[] data) ->
          out.u8(units(2 + data.length)).u8(type).u8(left).bytes(data);
      case Fragment(int reserved, int offsetAndFlags, long identification) ->
          out.u8(reserved).u16(offsetAndFlags).u32(identification);
      case Authentication(int reserved, int spi, long sequence, byte[] icv) ->
          out.u8(icv.length / 4 + 1).u16(reserved).u32(spi).u32(sequence).bytes(icv);
    }
  }

  private static int units(int body) {
    return (body - 6) / 8;
  }

  private static void requireUnits(int body) {
    if (body < 6 || (body - 6) % 8 != 0 || body > 6 + 8 * 255) {
      throw new IllegalArgumentException("an extension header fills units of 8 octets");
    }
  }
}
