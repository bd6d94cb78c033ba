package dev.vigil.border.cli;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import java.util.ArrayList;
import java.util.List;

/** Reads pcap and pcapng files of 802.15.4 frames and IPv6 packets, in either byte order. */
final class CaptureFileReader {
  /** Octets at the start of a file that identify a capture file. */
  static final int MAGIC = 4;

  private static final int WITH_FCS = 195;
  private static final int WITHOUT_FCS = 230;
  private static final int TAP = 283;
  private static final int IPV6 = 229;
  private static final long PCAP_MICROS = 0xa1b2c3d4L;
  private static final long PCAP_NANOS = 0xa1b23c4dL;
  private static final long PCAP_MICROS_SWAPPED = 0xd4c3b2a1L;
  private static final long PCAP_NANOS_SWAPPED = 0x4d3cb2a1L;
  private static final long SECTION = 0x0a0d0d0aL;
  private static final long SECTION_ORDER = 0x1a2b3c4dL;
  private static final long INTERFACE = 1;
  private static final long SIMPLE_PACKET = 3;
  private static final long ENHANCED_PACKET = 6;

  private final WireReader in;
  private final List<Captured> captured = new ArrayList<>();
  private boolean swapped;

  /** The kind of a captured packet's octets. */
  enum Content {
    FRAME_WITH_FCS,
    FRAME,
    IPV6_PACKET
  }

  /** A packet of the file. */
  record Captured(Content content, byte[] octets) {}

  private CaptureFileReader(byte[] file) {
    in = new WireReader(file);
  }

  /** Whether the octets begin like a capture file; {@link #MAGIC} octets are enough. */
  static boolean is(byte[] file) {
    try {
      long magic = new WireReader(file).u32();
      return magic == SECTION || isPcap(magic);
    } catch (WireException e) {
      return false;
    }
  }

  /**
   * All frames and packets, in order.
   *
   * @throws WireException if the file is cut short or of another link type
   */
  static List<Captured> read(byte[] file) throws WireException {
    CaptureFileReader reader = new CaptureFileReader(file);
    if (isPcap(new WireReader(file).u32())) {
      reader.pcap();
    } else {
      reader.pcapng();
    }
    return reader.captured;
  }

  private static boolean isPcap(long magic) {
    return magic == PCAP_MICROS
        || magic == PCAP_NANOS
        || magic == PCAP_MICROS_SWAPPED
        || magic == PCAP_NANOS_SWAPPED;
  }

  private void pcap() throws WireException {
    long magic = in.u32();
    swapped = magic == PCAP_MICROS_SWAPPED || magic == PCAP_NANOS_SWAPPED;
    in.skip(16);
    int linkType = (int) (u32(in) & 0xffff);
    while (!in.isEmpty()) {
      in.skip(8);
      int length = (int) u32(in);
      in.skip(4);
      add(linkType, in.bytes(length));
    }
  }

  private void pcapng() throws WireException {
    List<Integer> linkTypes = new ArrayList<>();
    while (!in.isEmpty()) {
      long type = u32(in);
      if (type == SECTION) {
        swapped = order(in.fork());
        linkTypes.clear();
      }
      long total = u32(in);
      WireReader body = in.region((int) total - 12);
      in.skip(4);
      if (type == INTERFACE) {
        linkTypes.add(u16(body));
      } else if (type == ENHANCED_PACKET) {
        int link = (int) u32(body);
        body.skip(8);
        int length = (int) u32(body);
        body.skip(4);
        add(linkType(linkTypes, link), body.bytes(length));
      } else if (type == SIMPLE_PACKET) {
        int length = (int) u32(body);
        add(linkType(linkTypes, 0), body.bytes(Math.min(length, body.remaining())));
      }
    }
  }

  /** Whether a section is in the other byte order. Its magic number follows the length field. */
  private static boolean order(WireReader header) throws WireException {
    header.skip(4);
    return header.u32() != SECTION_ORDER;
  }

  private static int linkType(List<Integer> types, int index) throws WireException {
    if (index < 0 || index >= types.size()) {
      throw new WireException(Drop.TRUNCATED, "capture file: no such interface");
    }
    return types.get(index);
  }

  private void add(int linkType, byte[] octets) throws WireException {
    switch (linkType) {
      case WITH_FCS -> captured.add(new Captured(Content.FRAME_WITH_FCS, octets));
      case WITHOUT_FCS -> captured.add(new Captured(Content.FRAME, octets));
      case TAP -> captured.add(tap(octets));
      case IPV6 -> captured.add(new Captured(Content.IPV6_PACKET, octets));
      default ->
          throw new WireException(
              Drop.DISPATCH_UNKNOWN,
              "capture file: link type " + linkType + " is neither 802.15.4 nor IPv6");
    }
  }

  /** 802.15.4 TAP, little-endian. A type-length-value field states whether there is an FCS. */
  private static Captured tap(byte[] octets) throws WireException {
    WireReader tap = new WireReader(octets);
    tap.skip(2);
    WireReader fields = tap.region(tap.u16LE() - 4);
    boolean fcs = true;
    while (!fields.isEmpty()) {
      int type = fields.u16LE();
      int length = fields.u16LE();
      WireReader value = fields.region((length + 3) & -4);
      if (type == 0 && length > 0) {
        fcs = value.u8() != 0;
      }
    }
    return new Captured(fcs ? Content.FRAME_WITH_FCS : Content.FRAME, tap.rest());
  }

  private long u32(WireReader from) throws WireException {
    return swapped ? from.u32LE() : from.u32();
  }

  private int u16(WireReader from) throws WireException {
    return swapped ? from.u16LE() : from.u16();
  }
}
