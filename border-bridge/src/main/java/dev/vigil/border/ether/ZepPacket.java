package dev.vigil.border.ether;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * A packet of the ZigBee Encapsulation Protocol, version 2: 802.15.4 frames over UDP, as in
 * Wireshark's dissector and RIOT's native boards. All numbers are big-endian.
 *
 * <pre>
 * data   'E' 'X' 2 1 channel device(2) mode lqi ntp(8) sequence(4) reserved(10) length psdu
 * ack    'E' 'X' 2 2 sequence(4)
 * hello  'E' 'X' 2 255 zeros(17) "HELLO" zeros(5) length EUI-64     (RIOT's, length 0 or 8)
 * </pre>
 */
sealed interface ZepPacket {
  /** The registered UDP port. */
  int PORT = 17754;

  /** Octets of the longest packet. */
  int MAX_OCTETS = 32 + 127;

  /**
   * A frame.
   *
   * @param device the sender's own number for its radio
   * @param lqi 0 to 255
   * @param ntpTime seconds since 1900 in the upper 32 bits, their fraction in the lower
   * @param sequence of the ZEP packet, unsigned 32 bits
   * @param psdu with FCS
   */
  record Data(int channel, int device, int lqi, long ntpTime, long sequence, byte[] psdu)
      implements ZepPacket {}

  /** Acknowledges a data packet. It is not needed on loopback, so it is parsed and ignored. */
  record Ack(long sequence) implements ZepPacket {}

  /** Announces a node; RIOT sends it at start, our motes every 10 seconds. */
  record Hello(@Nullable Eui64 eui64) implements ZepPacket {}

  int TYPE_DATA = 1;
  int TYPE_ACK = 2;
  int TYPE_HELLO = 255;
  int PREAMBLE = 'E' << 8 | 'X';
  int VERSION = 2;
  int MODE_CRC = 1;
  int RESERVED = 10;
  byte[] HELLO_TEXT = {'H', 'E', 'L', 'L', 'O'};

  /** Reads one UDP payload. */
  static ZepPacket parse(byte[] octets) throws WireException {
    WireReader in = new WireReader(octets);
    if (in.u16() != PREAMBLE || in.u8() != VERSION) {
      throw new WireException(Drop.DISPATCH_UNKNOWN, "not ZEP version 2");
    }
    int type = in.u8();
    ZepPacket packet =
        switch (type) {
          case TYPE_DATA -> data(in);
          case TYPE_ACK -> new Ack(in.u32());
          case TYPE_HELLO -> hello(in);
          default -> throw new WireException(Drop.DISPATCH_UNKNOWN, "ZEP type " + type);
        };
    in.end();
    return packet;
  }

  private static Data data(WireReader in) throws WireException {
    int channel = in.u8();
    int device = in.u16();
    if (in.u8() == 0) {
      // In mode 0 a CC24xx sniffer's measurements replace the FCS; nodes do not send it.
      throw new WireException(Drop.FCS_WRONG, "ZEP data without FCS");
    }
    int lqi = in.u8();
    long time = in.u64();
    long sequence = in.u32();
    in.skip(RESERVED);
    int length = in.u8();
    if (length > 127) {
      throw new WireException(Drop.FRAME_TOO_LONG);
    }
    return new Data(channel, device, lqi, time, sequence, in.bytes(length));
  }

  private static Hello hello(WireReader in) throws WireException {
    in.skip(27);
    int length = in.u8();
    if (length != 0 && length != 8) {
      throw new WireException(Drop.TRAILING_OCTETS, "ZEP hello with an odd address");
    }
    return new Hello(length == 0 ? null : new Eui64(in.u64()));
  }

  /** The UDP payload. */
  default byte[] toBytes() {
    WireWriter out = new WireWriter(MAX_OCTETS).u16(PREAMBLE).u8(VERSION);
    switch (this) {
      case Data data -> {
        out.u8(TYPE_DATA).u8(data.channel()).u16(data.device()).u8(MODE_CRC).u8(data.lqi());
        out.u64(data.ntpTime()).u32(data.sequence()).zeros(RESERVED);
        out.u8(data.psdu().length).bytes(data.psdu());
      }
      case Ack ack -> out.u8(TYPE_ACK).u32(ack.sequence());
      case Hello hello -> {
        Eui64 eui64 = hello.eui64();
        out.u8(TYPE_HELLO).zeros(17).bytes(HELLO_TEXT).zeros(5);
        if (eui64 == null) {
          out.u8(0);
        } else {
          out.u8(8).u64(eui64.value());
        }
      }
    }
    return out.toBytes();
  }
}
