package dev.vigil.border.slip;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.nio.charset.StandardCharsets;

/**
 * What an unmodified Contiki-NG slip-radio says and understands (its {@code slip-radio.c} and
 * {@code packetutils.c}). The commands' second octet never begins a valid 802.15.4 frame after '!':
 * the source addressing mode would be the reserved one.
 */
public sealed interface SlipRadioMessage {
  int COMMAND = '!';
  int QUESTION = '?';
  int ADDRESS = 'M';
  int SEND = 'S';
  int REPORT = 'R';
  int VALUE = 'V';

  /** Radio parameter: the channel. */
  int PARAMETER_CHANNEL = 1;

  /** Radio parameter: the PAN id of its address filter. */
  int PARAMETER_PAN_ID = 2;

  /** The radio's address, most significant octet first. */
  record Address(Eui64 eui64) implements SlipRadioMessage {}

  /**
   * What became of a frame.
   *
   * @param sid the number it was sent under
   * @param status of Contiki-NG's mac.h: 0 OK, 1 collision, 2 no acknowledgement, 3 deferred, 4 and
   *     5 error, 6 queue full
   * @param transmissions how often it went on the air
   */
  record Report(int sid, int status, int transmissions) implements SlipRadioMessage {}

  /** A radio parameter's value. */
  record Parameter(int id, int value) implements SlipRadioMessage {}

  /** Log lines and complaints, which share the line with frames. */
  record Text(String text) implements SlipRadioMessage {}

  /** A received frame without FCS. */
  record Received(byte[] psdu) implements SlipRadioMessage {}

  /** Reads a frame of the radio. */
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

  /** All printable, or begun by a carriage return: no frame with a source address is either. */
  private static boolean isText(byte[] frame) {
    if (frame[0] == '\r') {
      return true;
    }
    for (byte octet : frame) {
      boolean space = octet == '\n' || octet == '\r' || octet == '\t';
      if (!space && (octet < ' ' || octet > '~')) {
        return false;
      }
    }
    return true;
  }

  /** Asks for the address. */
  static byte[] askAddress() {
    return new byte[] {QUESTION, ADDRESS};
  }

  /**
   * Sends a frame, without packet attributes: their numbers depend on how the radio was built.
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
   * Reads a frame of the host: what a scripted radio in a test, or a capture of the line, needs.
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
