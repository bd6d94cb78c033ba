package dev.vigil.border.ieee802154;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A MAC frame without its FCS (802.15.4-2006, section 7.2). Encoding a parsed frame gives the same
 * octets.
 *
 * @param sequence 0 to 255, or {@link #NO_SEQUENCE}
 * @param destinationPan 0 to 0xffff, or {@link #NO_PAN} if the header has none
 * @param sourcePan 0 to 0xffff, or {@link #NO_PAN}; with PAN id compression equal to the
 *     destination's
 * @param security the auxiliary security header; null unless {@code control.security()}
 * @param payload the octets after the header; for a secured frame, ciphertext and MIC
 */
public record Frame(
    FrameControl control,
    int sequence,
    int destinationPan,
    LinkAddress destination,
    int sourcePan,
    LinkAddress source,
    @Nullable SecurityHeader security,
    byte[] payload) {
  /** Stands for the suppressed sequence number of a version 2015 frame. */
  public static final int NO_SEQUENCE = -1;

  /** Stands for an absent PAN id. */
  public static final int NO_PAN = -1;

  /** The longest PSDU, FCS included (802.15.4-2006, aMaxPHYPacketSize). */
  public static final int MAX_PSDU = 127;

  /** Octets of the longest frame without its FCS. */
  public static final int MAX_LENGTH = MAX_PSDU - Fcs.LENGTH;

  private static final int PAN_LENGTH = 2;

  public Frame {
    if (control.security() != (security != null)) {
      throw new IllegalArgumentException("the security bit announces the security header");
    }
  }

  /** An unsecured data frame of version 2006 within one PAN. */
  public static Frame data(
      int sequence,
      int pan,
      LinkAddress destination,
      LinkAddress source,
      boolean ackRequest,
      byte[] payload) {
    return new Frame(
        FrameControl.data(ackRequest), sequence, pan, destination, pan, source, null, payload);
  }

  /** The acknowledgement of a frame with this sequence number. */
  public static Frame acknowledgement(int sequence) {
    return new Frame(
        FrameControl.acknowledgement(),
        sequence,
        NO_PAN,
        LinkAddress.NONE,
        NO_PAN,
        LinkAddress.NONE,
        null,
        new byte[0]);
  }

  /** The same frame with another payload. */
  public Frame withPayload(byte[] other) {
    return new Frame(
        control, sequence, destinationPan, destination, sourcePan, source, security, other);
  }

  /** The same frame with another auxiliary security header, or without. */
  public Frame withSecurity(@Nullable SecurityHeader other) {
    return new Frame(
        control.withSecurity(other != null),
        sequence,
        destinationPan,
        destination,
        sourcePan,
        source,
        other,
        payload);
  }

  /** The PAN the frame belongs to, or {@link #NO_PAN}. */
  public int pan() {
    return destinationPan != NO_PAN ? destinationPan : sourcePan;
  }

  /**
   * Reads a frame.
   *
   * @param psdu MAC header and payload, without FCS
   * @throws WireException with the reason of the malformation
   */
  public static Frame parse(byte[] psdu) throws WireException {
    if (psdu.length > MAX_LENGTH) {
      throw new WireException(Drop.FRAME_TOO_LONG);
    }
    WireReader in = new WireReader(psdu);
    int field = in.u16LE();
    FrameControl control = FrameControl.of(field);
    int sequence = control.sequenceSuppressed() ? NO_SEQUENCE : in.u8();
    LinkAddress to = emptyAddress(field >> 10 & 3);
    LinkAddress from = emptyAddress(field >> 14 & 3);
    PanIds pans = PanIds.present(control, to, from);
    int toPan = pans.destination() ? in.u16LE() : NO_PAN;
    LinkAddress destination = address(in, to);
    int fromPan = pans.source() ? in.u16LE() : from == LinkAddress.NONE ? NO_PAN : toPan;
    LinkAddress source = address(in, from);
    SecurityHeader security =
        control.security() ? SecurityHeader.parse(in, control.version()) : null;
    return new Frame(control, sequence, toPan, destination, fromPan, source, security, in.rest());
  }

  /** The frame without FCS. */
  public byte[] encode() {
    return writeHeader().bytes(payload).toBytes();
  }

  /** The MAC header with the auxiliary security header: the first part of the MIC's input. */
  public byte[] header() {
    return writeHeader().toBytes();
  }

  /** Octets of the header. */
  public int headerLength() {
    PanIds pans = PanIds.present(control, destination, source);
    return PAN_LENGTH
        + (control.sequenceSuppressed() ? 0 : 1)
        + (pans.destination() ? PAN_LENGTH : 0)
        + (pans.source() ? PAN_LENGTH : 0)
        + length(destination)
        + length(source)
        + (security == null ? 0 : security.length());
  }

  private WireWriter writeHeader() {
    WireWriter out = new WireWriter(MAX_PSDU);
    out.u16LE(control.field(destination.mode(), source.mode()));
    if (!control.sequenceSuppressed()) {
      out.u8(sequence);
    }
    PanIds pans = PanIds.present(control, destination, source);
    if (pans.destination()) {
      out.u16LE(destinationPan);
    }
    write(out, destination);
    if (pans.source()) {
      out.u16LE(sourcePan);
    }
    write(out, source);
    if (security != null) {
      security.write(out);
    }
    return out;
  }

  /** An address of this mode. The mode determines which PAN ids precede the addresses. */
  private static LinkAddress emptyAddress(int mode) throws WireException {
    return switch (mode) {
      case 0 -> LinkAddress.NONE;
      case 2 -> LinkAddress.BROADCAST;
      case 3 -> new LinkAddress.Extended(new Eui64(0));
      default -> throw new WireException(Drop.ADDRESS_MODE_RESERVED);
    };
  }

  private static LinkAddress address(WireReader in, LinkAddress kind) throws WireException {
    return switch (kind) {
      case LinkAddress.None none -> none;
      case LinkAddress.Short ignored -> new LinkAddress.Short(in.u16LE());
      case LinkAddress.Extended ignored -> new LinkAddress.Extended(new Eui64(in.u64LE()));
    };
  }

  private static void write(WireWriter out, LinkAddress address) {
    switch (address) {
      case LinkAddress.None ignored -> {}
      case LinkAddress.Short(int value) -> out.u16LE(value);
      case LinkAddress.Extended(Eui64 eui64) -> out.u64LE(eui64.value());
    }
  }

  private static int length(LinkAddress address) {
    return switch (address) {
      case LinkAddress.None ignored -> 0;
      case LinkAddress.Short ignored -> 2;
      case LinkAddress.Extended ignored -> 8;
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Frame frame && Arrays.equals(encode(), frame.encode());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(encode());
  }
}
