package dev.vigil.border.ipv6;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An IPv6 packet (RFC 8200). Lengths and next header fields follow from the other fields and are
 * always consistent; encoding a parsed packet gives the same octets.
 *
 * @param trafficClass 0 to 255, DSCP in the upper six bits
 * @param flowLabel 20 bits
 * @param hopLimit 0 to 255
 * @param extensions in order; none may follow a fragment header
 * @param protocol of the payload
 * @param payload the octets after the last extension header
 */
public record Ipv6Packet(
    int trafficClass,
    int flowLabel,
    int hopLimit,
    Ipv6Address source,
    Ipv6Address destination,
    List<ExtensionHeader> extensions,
    int protocol,
    byte[] payload) {
  /** Octets of the header itself. */
  public static final int HEADER = 40;

  /** The minimum MTU of a link (RFC 8200, section 5), and the longest packet of a mote. */
  public static final int MIN_MTU = 1280;

  private static final int VERSION = 6;
  private static final int MAX_EXTENSIONS = 16;

  public Ipv6Packet {
    extensions = List.copyOf(extensions);
  }

  /** A packet without extension headers, traffic class and flow label. */
  public static Ipv6Packet of(
      Ipv6Address source, Ipv6Address destination, int hopLimit, int protocol, byte[] payload) {
    return new Ipv6Packet(0, 0, hopLimit, source, destination, List.of(), protocol, payload);
  }

  public Ipv6Packet withExtensions(List<ExtensionHeader> others) {
    return new Ipv6Packet(
        trafficClass, flowLabel, hopLimit, source, destination, others, protocol, payload);
  }

  public Ipv6Packet withDestination(Ipv6Address other) {
    return new Ipv6Packet(
        trafficClass, flowLabel, hopLimit, source, other, extensions, protocol, payload);
  }

  public Ipv6Packet withHopLimit(int other) {
    return new Ipv6Packet(
        trafficClass, flowLabel, other, source, destination, extensions, protocol, payload);
  }

  public Ipv6Packet withPayload(int otherProtocol, byte[] other) {
    return new Ipv6Packet(
        trafficClass, flowLabel, hopLimit, source, destination, extensions, otherProtocol, other);
  }

  /**
   * The last address of a source route with segments left, otherwise the destination. Checksums
   * cover this address (RFC 8200, section 8.1).
   */
  public Ipv6Address finalDestination() throws WireException {
    for (ExtensionHeader header : extensions) {
      if (header instanceof ExtensionHeader.Routing routing
          && routing.type() == SourceRoute.TYPE
          && routing.segmentsLeft() > 0) {
        return SourceRoute.parse(routing, destination).addresses().getLast();
      }
    }
    return destination;
  }

  /**
   * @param octets exactly one packet
   * @throws WireException {@link Drop#IP_VERSION}, {@link Drop#IP_LENGTH} if the length field is
   *     wrong, {@link Drop#TRUNCATED} or another reason for a malformed extension header
   */
  public static Ipv6Packet parse(byte[] octets) throws WireException {
    WireReader in = new WireReader(octets);
    long first = in.u32();
    if (first >>> 28 != VERSION) {
      throw new WireException(Drop.IP_VERSION);
    }
    int length = in.u16();
    int next = in.u8();
    int hopLimit = in.u8();
    Ipv6Address source = Ipv6Address.read(in);
    Ipv6Address destination = Ipv6Address.read(in);
    if (length != in.remaining()) {
      throw new WireException(Drop.IP_LENGTH);
    }
    List<ExtensionHeader> extensions = new ArrayList<>();
    while (ExtensionHeader.isExtension(next)) {
      if (extensions.size() == MAX_EXTENSIONS) {
        throw new WireException(Drop.EXTENSION_HEADER_TOO_MANY);
      }
      int following = in.u8();
      ExtensionHeader header = ExtensionHeader.read(next, in);
      extensions.add(header);
      next = following;
      if (header instanceof ExtensionHeader.Fragment) {
        break;
      }
    }
    return new Ipv6Packet(
        (int) (first >>> 20) & 0xff,
        (int) first & 0xfffff,
        hopLimit,
        source,
        destination,
        extensions,
        next,
        in.rest());
  }

  /** The packet's octets. */
  public byte[] encode() {
    int length = payload.length;
    for (ExtensionHeader header : extensions) {
      length += header.length();
    }
    WireWriter out = new WireWriter(HEADER + length);
    out.u32((long) VERSION << 28 | (long) trafficClass << 20 | flowLabel);
    out.u16(length);
    out.u8(extensions.isEmpty() ? protocol : extensions.getFirst().protocol());
    out.u8(hopLimit);
    source.write(out);
    destination.write(out);
    for (int i = 0; i < extensions.size(); i++) {
      boolean last = i + 1 == extensions.size();
      extensions.get(i).write(last ? protocol : extensions.get(i + 1).protocol(), out);
    }
    return out.bytes(payload).toBytes();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Ipv6Packet packet && Arrays.equals(encode(), packet.encode());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(encode());
  }
}
