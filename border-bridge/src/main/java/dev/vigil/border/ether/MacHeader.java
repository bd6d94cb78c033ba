package dev.vigil.border.ether;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an 802.15.4 header that a radio chip uses (802.15.4-2020, section 7.2): type,
 * acknowledgement request, sequence number, addresses. The bridge's own codec checks the rest.
 */
record MacHeader(
    int type,
    boolean ackRequested,
    int sequence,
    int destinationPan,
    LinkAddress destination,
    LinkAddress source) {
  private static final int TYPE_MASK = 0x0007;
  private static final int TYPE_DATA = 1;
  private static final int TYPE_ACK = 2;
  private static final int TYPE_COMMAND = 3;
  private static final int ACK_REQUEST = 0x0020;
  private static final int PAN_COMPRESSION = 0x0040;
  private static final int SEQUENCE_SUPPRESSED = 0x0100;
  private static final int MODE_SHORT = 2;
  private static final int MODE_EXTENDED = 3;
  private static final int VERSION_2015 = 2;
  private static final int BROADCAST_PAN = 0xffff;

  /** The header of a frame; null if a radio would not accept the frame. */
  static @Nullable MacHeader of(byte[] psdu) {
    try {
      return read(new WireReader(psdu));
    } catch (WireException e) {
      return null;
    }
  }

  private static @Nullable MacHeader read(WireReader in) throws WireException {
    int control = in.u16LE();
    int version = control >> 12 & 3;
    boolean suppressed = version == VERSION_2015 && (control & SEQUENCE_SUPPRESSED) != 0;
    if (version > VERSION_2015 || suppressed) {
      return null;
    }
    int sequence = in.u8();
    int destinationMode = control >> 10 & 3;
    int sourceMode = control >> 14 & 3;
    if (destinationMode == 1 || sourceMode == 1) {
      return null;
    }
    boolean oneSided = destinationMode == 0 || sourceMode == 0;
    boolean compressed = (control & PAN_COMPRESSION) != 0;
    // 802.15.4-2020, section 7.2.2.6: between two extended addresses version 2 reverses the
    // compression bit, but only if both PAN ids are left out, which no supported node does.
    int destinationPan = destinationMode == 0 ? BROADCAST_PAN : in.u16LE();
    LinkAddress destination = address(in, destinationMode);
    if (sourceMode != 0 && (oneSided || !compressed)) {
      in.skip(2);
    }
    LinkAddress source = address(in, sourceMode);
    boolean ackRequested = (control & ACK_REQUEST) != 0;
    return new MacHeader(
        control & TYPE_MASK, ackRequested, sequence, destinationPan, destination, source);
  }

  private static LinkAddress address(WireReader in, int mode) throws WireException {
    return switch (mode) {
      case MODE_SHORT -> new LinkAddress.Short(in.u16LE());
      case MODE_EXTENDED -> LinkAddress.of(new Eui64(in.u64LE()));
      default -> LinkAddress.NONE;
    };
  }

  /** The acknowledgement for a frame, without FCS (802.15.4-2020, section 7.3.3). */
  static byte[] acknowledgement(int sequence) {
    return new byte[] {TYPE_ACK, 0, (byte) sequence};
  }

  boolean isAck() {
    return type == TYPE_ACK;
  }

  boolean isBroadcast() {
    return destination.isBroadcast();
  }

  /**
   * Whether a node with this EUI-64 and PAN accepts the frame (802.15.4-2020, section 6.7.2, third
   * level of filtering).
   */
  boolean isFor(Eui64 eui64, int panId) {
    if (type != TYPE_DATA && type != TYPE_COMMAND) {
      return false;
    }
    boolean pan = destinationPan == panId || destinationPan == BROADCAST_PAN;
    return pan && (isBroadcast() || destination.equals(LinkAddress.of(eui64)));
  }

  /** The source's EUI-64; null unless the source address is extended. */
  @Nullable Eui64 sourceEui64() {
    return source instanceof LinkAddress.Extended(Eui64 eui64) ? eui64 : null;
  }
}
