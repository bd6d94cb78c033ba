package dev.vigil.border.sixlowpan;

import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/**
 * Extension headers (RFC 6282, section 4.2): {@code 1110 EID NH}, the next header if NH is 0, the
 * length in octets, the content. Received headers may lack trailing padding. Sent headers contain
 * all padding, because Contiki-NG would not restore it.
 *
 * <p>A fragment header has a reserved octet in place of the length. Contiki-NG writes a length of 6
 * there.
 */
final class ExtensionNhc {
  static final int AH = 5;
  static final int ESP = 6;
  static final int IPV6 = 7;

  private static final int ID = 0xe0;
  private static final int ID_MASK = 0xf0;
  private static final int NEXT_COMPRESSED = 1;
  private static final int FRAGMENT_LENGTH = 8;

  /** The longest content of 8n+6 octets that the length octet can express. */
  private static final int MAX_CONTENT = 254;

  private static final int[] PROTOCOLS = {
    Protocol.HOP_BY_HOP,
    Protocol.ROUTING,
    Protocol.FRAGMENT,
    Protocol.DESTINATION_OPTIONS,
    Protocol.MOBILITY
  };

  private ExtensionNhc() {}

  static boolean is(int id) {
    return (id & ID_MASK) == ID;
  }

  static int eid(int id) {
    return id >> 1 & 7;
  }

  static boolean nextIsCompressed(int id) {
    return (id & NEXT_COMPRESSED) != 0;
  }

  /** The NHC octet of a header. */
  static int id(int eid, boolean nextCompressed) {
    return ID | eid << 1 | (nextCompressed ? NEXT_COMPRESSED : 0);
  }

  /** The EID of a protocol, or -1. */
  static int eidOf(int protocol) {
    for (int eid = 0; eid < PROTOCOLS.length; eid++) {
      if (PROTOCOLS[eid] == protocol) {
        return eid;
      }
    }
    return -1;
  }

  static int protocol(int eid) {
    return PROTOCOLS[eid];
  }

  /** The length in octets of the header at the cursor, or -1 if it cannot be compressed. */
  static int length(int protocol, WireReader packet) throws WireException {
    WireReader in = packet.fork();
    if (in.remaining() < 8) {
      return -1;
    }
    in.skip(1);
    int second = in.u8();
    if (protocol == Protocol.FRAGMENT) {
      return second == FRAGMENT_LENGTH - 2 ? -1 : FRAGMENT_LENGTH;
    }
    int length = 8 * (second + 1);
    return length - 2 > MAX_CONTENT || length > packet.remaining() ? -1 : length;
  }

  /** Compresses the header at the cursor, whose length has been checked. */
  static void write(
      int protocol, int length, boolean nextCompressed, WireReader packet, WireWriter out)
      throws WireException {
    out.u8(id(eidOf(protocol), nextCompressed));
    int next = packet.u8();
    if (!nextCompressed) {
      out.u8(next);
    }
    int second = packet.u8();
    out.u8(protocol == Protocol.FRAGMENT ? second : length - 2);
    packet.copyTo(out, length - 2);
  }

  /**
   * Restores a header.
   *
   * @return the offset of its next header octet in {@code out}
   */
  static int read(int id, WireReader in, WireWriter out) throws WireException {
    int protocol = protocol(eid(id));
    int nextAt = out.size();
    out.u8(nextIsCompressed(id) ? 0 : in.u8());
    int second = in.u8();
    if (protocol == Protocol.FRAGMENT) {
      out.u8(second == FRAGMENT_LENGTH - 2 ? 0 : second);
      in.copyTo(out, FRAGMENT_LENGTH - 2);
      return nextAt;
    }
    int missing = -(second + 2) & 7;
    boolean paddable = protocol == Protocol.HOP_BY_HOP || protocol == Protocol.DESTINATION_OPTIONS;
    if (missing != 0 && !paddable) {
      throw new WireException(Drop.NHC_LENGTH);
    }
    out.u8((second + 2 + missing) / 8 - 1);
    in.copyTo(out, second);
    pad(missing, out);
    return nextAt;
  }

  private static void pad(int octets, WireWriter out) {
    if (octets == 1) {
      out.u8(0);
    } else if (octets > 1) {
      out.u8(1).u8(octets - 2).zeros(octets - 2);
    }
  }
}
