package dev.vigil.border.ieee802154;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;

/**
 * The frame control field without the addressing modes (802.15.4-2006, section 7.2.1.1).
 *
 * @param panIdCompression as on the wire; its meaning depends on the version, see {@link PanIds}
 * @param sequenceSuppressed whether there is no sequence number; version 2015 only
 */
public record FrameControl(
    FrameType type,
    FrameVersion version,
    boolean security,
    boolean framePending,
    boolean ackRequest,
    boolean panIdCompression,
    boolean sequenceSuppressed) {
  private static final int SECURITY = 1 << 3;
  private static final int PENDING = 1 << 4;
  private static final int ACK_REQUEST = 1 << 5;
  private static final int PAN_ID_COMPRESSION = 1 << 6;
  private static final int RESERVED = 1 << 7;
  private static final int SEQUENCE_SUPPRESSED = 1 << 8;
  private static final int INFORMATION_ELEMENTS = 1 << 9;

  /** An unsecured data frame of version 2006 within one PAN. */
  public static FrameControl data(boolean ackRequest) {
    return new FrameControl(
        FrameType.DATA, FrameVersion.V2006, false, false, ackRequest, true, false);
  }

  /** An immediate acknowledgement of versions 2003 and 2006. */
  public static FrameControl acknowledgement() {
    return new FrameControl(
        FrameType.ACKNOWLEDGEMENT, FrameVersion.V2003, false, false, false, false, false);
  }

  /** The same field with another security bit. */
  public FrameControl withSecurity(boolean secured) {
    return new FrameControl(
        type, version, secured, framePending, ackRequest, panIdCompression, sequenceSuppressed);
  }

  static FrameControl of(int field) throws WireException {
    FrameType type = FrameType.of(field & 7);
    FrameVersion version = FrameVersion.of(field >> 12 & 3);
    int reserved = RESERVED;
    if (version != FrameVersion.V2015) {
      reserved |= SEQUENCE_SUPPRESSED | INFORMATION_ELEMENTS;
    }
    if ((field & reserved) != 0) {
      throw new WireException(Drop.FRAME_RESERVED_BITS);
    }
    if ((field & INFORMATION_ELEMENTS) != 0) {
      throw new WireException(Drop.INFORMATION_ELEMENTS);
    }
    return new FrameControl(
        type,
        version,
        (field & SECURITY) != 0,
        (field & PENDING) != 0,
        (field & ACK_REQUEST) != 0,
        (field & PAN_ID_COMPRESSION) != 0,
        (field & SEQUENCE_SUPPRESSED) != 0);
  }

  int field(int destinationMode, int sourceMode) {
    return type.ordinal()
        | (security ? SECURITY : 0)
        | (framePending ? PENDING : 0)
        | (ackRequest ? ACK_REQUEST : 0)
        | (panIdCompression ? PAN_ID_COMPRESSION : 0)
        | (sequenceSuppressed ? SEQUENCE_SUPPRESSED : 0)
        | destinationMode << 10
        | version.ordinal() << 12
        | sourceMode << 14;
  }
}
