package dev.vigil.border.sixlowpan;

import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/**
 * UDP headers (RFC 6282, section 4.3): {@code 11110CPP}, ports, checksum. The length follows from
 * the packet's length. Checksums are never elided when sending: only the application may allow that
 * (RFC 6282, section 4.3.2).
 */
public final class UdpNhc {
  public static final int HEADER = 8;

  private static final int ID = 0xf0;
  private static final int ID_MASK = 0xf8;
  private static final int CHECKSUM_ELIDED = 4;
  private static final int BOTH_INLINE = 0;
  private static final int DESTINATION_8 = 1;
  private static final int SOURCE_8 = 2;
  private static final int BOTH_4 = 3;
  private static final int BASE_8 = 0xf000;
  private static final int BASE_4 = 0xf0b0;

  private UdpNhc() {}

  /**
   * A parsed header.
   *
   * @param checksum -1 if elided
   */
  public record Ports(int source, int destination, int checksum) {}

  public static boolean is(int id) {
    return (id & ID_MASK) == ID;
  }

  /** Whether the octets begin with a UDP header whose length field is correct. */
  public static boolean isCompressible(WireReader packet) throws WireException {
    WireReader in = packet.fork();
    if (in.remaining() < HEADER) {
      return false;
    }
    int length = in.remaining();
    in.skip(4);
    return in.u16() == length;
  }

  /** Compresses the header at the cursor, which must be {@link #isCompressible}. */
  public static void write(WireReader packet, WireWriter out) throws WireException {
    int source = packet.u16();
    int destination = packet.u16();
    packet.skip(2);
    int form = form(source, destination);
    out.u8(ID | form);
    switch (form) {
      case DESTINATION_8 -> out.u16(source).u8(destination);
      case SOURCE_8 -> out.u8(source).u16(destination);
      case BOTH_4 -> out.u8((source & 15) << 4 | destination & 15);
      default -> out.u16(source).u16(destination);
    }
    out.u16(packet.u16());
  }

  /** Reads ports and checksum after the NHC octet. */
  public static Ports read(int id, WireReader in) throws WireException {
    int source;
    int destination;
    switch (id & 3) {
      case DESTINATION_8 -> {
        source = in.u16();
        destination = BASE_8 | in.u8();
      }
      case SOURCE_8 -> {
        source = BASE_8 | in.u8();
        destination = in.u16();
      }
      case BOTH_4 -> {
        int ports = in.u8();
        source = BASE_4 | ports >> 4;
        destination = BASE_4 | ports & 15;
      }
      default -> {
        source = in.u16();
        destination = in.u16();
      }
    }
    return new Ports(source, destination, (id & CHECKSUM_ELIDED) == 0 ? in.u16() : -1);
  }

  private static int form(int source, int destination) {
    if ((source & 0xfff0) == BASE_4 && (destination & 0xfff0) == BASE_4) {
      return BOTH_4;
    }
    // If either port could be compressed, the destination port is, as in Linux, Contiki-NG and the
    // motes.
    if ((destination & 0xff00) == BASE_8) {
      return DESTINATION_8;
    }
    return (source & 0xff00) == BASE_8 ? SOURCE_8 : BOTH_INLINE;
  }
}
