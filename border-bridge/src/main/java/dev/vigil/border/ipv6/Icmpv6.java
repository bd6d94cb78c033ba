package dev.vigil.border.ipv6;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/**
 * An ICMPv6 message (RFC 4443).
 *
 * @param body the octets after the checksum
 */
public record Icmpv6(int type, int code, byte[] body) {
  public static final int DESTINATION_UNREACHABLE = 1;
  public static final int PACKET_TOO_BIG = 2;
  public static final int TIME_EXCEEDED = 3;
  public static final int PARAMETER_PROBLEM = 4;
  public static final int ECHO_REQUEST = 128;
  public static final int ECHO_REPLY = 129;

  /** RPL's control messages (RFC 6550, section 6); the code selects the message. */
  public static final int RPL = 155;

  /** The type of a message without octets. */
  public static final int NO_TYPE = -1;

  private static final int HEADER = 4;
  private static final int INFORMATIONAL = 0x80;

  /** The type of a message that has not been parsed; {@link #NO_TYPE} if it is empty. */
  public static int typeOf(byte[] message) {
    return new WireReader(message).peekOr(NO_TYPE);
  }

  /** Whether a message type is an error (RFC 4443, section 2.1). */
  public static boolean isError(int type) {
    return type >= 0 && (type & INFORMATIONAL) == 0;
  }

  /**
   * @param destination the final one
   * @throws WireException {@link Drop#ICMP_CHECKSUM}
   */
  public static Icmpv6 parse(byte[] message, Ipv6Address source, Ipv6Address destination)
      throws WireException {
    WireReader in = new WireReader(message);
    int type = in.u8();
    int code = in.u8();
    in.skip(2);
    if (Checksum.of(source, destination, Protocol.ICMPV6, message) != 0) {
      throw new WireException(Drop.ICMP_CHECKSUM);
    }
    return new Icmpv6(type, code, in.rest());
  }

  /** The message with its checksum. */
  public byte[] encode(Ipv6Address source, Ipv6Address destination) {
    WireWriter out = new WireWriter(HEADER + body.length);
    byte[] message = out.u8(type).u8(code).u16(0).bytes(body).toBytes();
    int checksum = Checksum.of(source, destination, Protocol.ICMPV6, message);
    WireWriter summed = new WireWriter(message.length).bytes(message);
    summed.patchU16(2, checksum);
    return summed.toBytes();
  }
}
