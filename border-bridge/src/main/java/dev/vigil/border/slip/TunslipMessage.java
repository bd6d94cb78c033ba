package dev.vigil.border.slip;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.nio.charset.StandardCharsets;

/**
 * The SLIP frames of a board that runs Contiki-NG's rpl-border-router (its {@code
 * rpl-border-router/embedded/slip-bridge.c}), and the host's answers (Contiki-NG's {@code
 * tunslip6.c}).
 */
sealed interface TunslipMessage {
  int COMMAND = '!';
  int QUESTION = '?';
  int ADDRESS = 'M';
  int PREFIX = 'P';
  int IPV6_VERSION = 6;
  int IPV6_HEADER = 40;
  int ADDRESS_DIGITS = 16;

  /** An IPv6 packet, not yet parsed. */
  record Packet(byte[] ipv6) implements TunslipMessage {}

  /** The board asks for the mesh prefix. */
  record PrefixRequest() implements TunslipMessage {}

  /** The board's radio address. */
  record Address(Eui64 eui64) implements TunslipMessage {}

  /** A line of the board's log. */
  record Text(String text) implements TunslipMessage {}

  /**
   * Reads a frame of the board.
   *
   * @throws WireException {@link Drop#SLIP_COMMAND} if the frame is of another kind, {@link
   *     Drop#BAD_TEXT} if the address is not hexadecimal
   */
  static TunslipMessage parse(byte[] frame) throws WireException {
    WireReader in = new WireReader(frame);
    int first = in.u8();
    if (first >> 4 == IPV6_VERSION && frame.length >= IPV6_HEADER) {
      return new Packet(frame);
    }
    if (first == QUESTION && in.remaining() == 1 && in.peek() == PREFIX) {
      return new PrefixRequest();
    }
    if (first == COMMAND && in.remaining() == 1 + ADDRESS_DIGITS && in.peek() == ADDRESS) {
      in.skip(1);
      return new Address(Eui64.parse(new String(in.rest(), StandardCharsets.US_ASCII)));
    }
    String text = new String(frame, StandardCharsets.US_ASCII);
    if (first == '\r' || text.matches("[ -~\\s]*")) {
      return new Text(text.strip());
    }
    throw new WireException(Drop.SLIP_COMMAND);
  }

  /** Asks for the board's address. */
  static byte[] askAddress() {
    return new WireWriter(2).u8(QUESTION).u8(ADDRESS).toBytes();
  }

  /**
   * Sends the mesh prefix to the board.
   *
   * @param prefix its 64 bits as one big-endian number
   */
  static byte[] prefix(long prefix) {
    return new WireWriter(10).u8(COMMAND).u8(PREFIX).u64(prefix).toBytes();
  }
}
