package dev.vigil.border.slip;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.nio.charset.StandardCharsets;

/**
 * The SLIP frames of an unmodified Contiki-NG slip-radio (its {@code slip-radio.c} and {@code
 * packetutils.c}). A command cannot be mistaken for an 802.15.4 frame: after '!' each command's
 * second octet would be a reserved source addressing mode.
 */
public sealed interface SlipRadioMessage {
  int COMMAND = '!';
  int QUESTION = '?';
  int ADDRESS = 'M';
  int SEND = 'S';
  int REPORT = 'R';
  int VALUE = 'V';

  /** Number of the radio parameter for the channel. */
  int PARAMETER_CHANNEL = 1;

  /** Number of the radio parameter for the PAN id of the address filter. */
  int PARAMETER_PAN_ID = 2;

  /** The radio's address, most significant octet first. */
  record Address(Eui64 eui64) implements SlipRadioMessage {}

  /**
   * The outcome of a transmission.
   *
   * @param sid the number that the host gave the frame
   * @param status of Contiki-NG's mac.h: 0 OK, 1 collision, 2 no acknowledgement, 3 deferred, 4 and
   *     5 error, 6 queue full
   * @param transmissions the number of transmissions of the frame
   */
  record Report(int sid, int status, int transmissions) implements SlipRadioMessage {}

  /** The value of a radio parameter. */
  record Parameter(int id, int value) implements SlipRadioMessage {}

  /** A line of the radio's log, which shares the SLIP line with frames. */
  record Text(String text) implements SlipRadioMessage {}

  /** A received frame without FCS. */
  record Received(byte[] psdu) implements SlipRadioMessage {}

  /** Reads a SLIP frame of the radio. */
  static SlipRadioMessage parse(byte[] frame) throws WireException {
    WireReader in = new WireReader(frame);
    if (in.peek() == COMMAND && frame.length > 1) {
      in.skip(1);
      int command = in.u8();
      SlipRadioMessage message =
          switch (command) {
            case ADDRESS -> new Address(new Eui64(in.u64()));
            case REPORT -> new Report(in.u8(), in.u8(), in.u8());
            case VALUE -> new Parameter(in.u16(), in.u16());
            default -> null;
          };
      if (message != null) {
        in.end();
        return message;
      }
    }
    return isText(frame)
        ? new Text(new String(frame, StandardCharsets.US_ASCII).strip())
        : new Received(frame);
  }

  /**
   * Text is entirely printable, or begins with a carriage return. An 802.15.4 frame never does
   * either.
   */
  private static boolean isText(byte[] frame) throws WireException {
    WireReader in = new WireReader(frame);
    if (in.peek() == '\r') {
      return true;
    }
    while (!in.isEmpty()) {
      int octet = in.u8();
      boolean space = octet == '\n' || octet == '\r' || octet == '\t';
      if (!space && (octet < ' ' || octet > '~')) {
        return false;
      }
    }
    return true;
  }

  /** Asks for the address. */
  static byte[] askAddress() {
    return new WireWriter(2).u8(QUESTION).u8(ADDRESS).toBytes();
  }

  /**
   * Sends a frame without packet attributes, because their numbers depend on the radio's build.
   *
   * @param sid 0 to 127
   * @param psdu without FCS
   */
  static byte[] send(int sid, byte[] psdu) {
    return new WireWriter(4 + psdu.length).u8(COMMAND).u8(SEND).u8(sid).u8(0).bytes(psdu).toBytes();
  }

  /** Sets a radio parameter. */
  static byte[] set(int parameter, int value) {
    return new WireWriter(6).u8(COMMAND).u8(VALUE).u16(parameter).u16(value).toBytes();
  }

  /**
   * Parses a send command of the host, for a scripted radio or a capture of the line.
   *
   * @throws WireException {@link Drop#SLIP_COMMAND}
   */
  static byte[] sentPsdu(byte[] command) throws WireException {
    WireReader in = new WireReader(command);
    if (in.u8() != COMMAND || in.u8() != SEND) {
      throw new WireException(Drop.SLIP_COMMAND);
    }
    in.skip(1);
    in.skip(3 * in.u8());
    return in.rest();
  }
}
