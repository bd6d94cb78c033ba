package dev.vigil.border.sixlowpan;

import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * IPv6 packets to and from the payloads of 802.15.4 data frames (RFC 4944, 6282).
 *
 * <p>Holds the fragments of unfinished packets and the next datagram tag; belongs to one thread.
 */
public final class LowpanCodec {
  /** Frames with less room than this cannot carry the headers of every packet. */
  public static final int MIN_PAYLOAD = 60;

  private static final int UNCOMPRESSED = 0x41;
  private static final int HC1 = 0x42;
  private static final int BROADCAST = 0x50;

  private final Contexts contexts;
  private final Reassembler reassembler = new Reassembler(Reassembler.Limits.USUAL);
  private int nextTag;

  /**
   * @param firstTag where datagram tags start, from a source of randomness
   */
  public LowpanCodec(Contexts contexts, int firstTag) {
    this.contexts = contexts;
    this.nextTag = firstTag;
  }

  /**
   * Compresses a packet and splits it if it does not fit.
   *
   * @param ipv6 one whole packet
   * @param source link address of the frame that will carry it
   * @param destination link address of the frame that will carry it
   * @param maxPayload octets that a frame has for each payload, MAC header, MIC and FCS not
   *     counted; at least {@link #MIN_PAYLOAD}
   * @return frame payloads in the order to send them
   * @throws WireException if the packet is not IPv6 of the length it claims, or larger than 2047
   */
  public List<byte[]> encode(
      byte[] ipv6, LinkAddress source, LinkAddress destination, int maxPayload, Dialect dialect)
      throws WireException {
    if (maxPayload < MIN_PAYLOAD) {
      throw new IllegalArgumentException("no room for headers");
    }
    Compressor.Compressed compressed = compress(ipv6, source, destination, maxPayload, dialect);
    if (!fits(compressed, maxPayload)) {
      // In a fragment there is less room, and what follows the headers starts at a whole unit.
      int room = maxPayload - FragmentHeader.FIRST_LENGTH - FragmentHeader.UNIT;
      compressed = compress(ipv6, source, destination, room, dialect);
      if (!fits(compressed, maxPayload)) {
        return Fragmenter.split(compressed, ipv6.length, nextTag++ & 0xffff, maxPayload);
      }
    }
    compressed.rest().copyTo(compressed.header(), compressed.rest().remaining());
    return List.of(compressed.header().toBytes());
  }

  /**
   * Takes the payload of a received data frame, already opened.
   *
   * @param nowMillis of a clock that never goes back; milliseconds
   * @return the packet, if this payload completed one
   */
  public Optional<Datagram> accept(
      byte[] payload, LinkAddress source, LinkAddress destination, long nowMillis)
      throws WireException {
    WireReader in = new WireReader(payload);
    LinkAddress sender = source;
    LinkAddress target = destination;
    if (MeshHeader.is(in.peek())) {
      MeshHeader mesh = MeshHeader.read(in);
      sender = mesh.originator();
      target = mesh.destination();
    }
    if (in.peek() == BROADCAST) {
      in.skip(2);
    }
    int dispatch = in.peek();
    Optional<Datagram> datagram;
    if (FragmentHeader.isFirst(dispatch)) {
      FragmentHeader header = FragmentHeader.readFirst(in);
      reassembler.checkSize(header);
      Decompressed part = restore(in, sender, target, header.size());
      datagram = reassembler.accept(header, part, source, sender, target, nowMillis);
    } else if (FragmentHeader.isNext(dispatch)) {
      FragmentHeader header = FragmentHeader.readNext(in);
      reassembler.checkSize(header);
      Decompressed part = Decompressed.asIs(in.rest());
      datagram = reassembler.accept(header, part, source, sender, target, nowMillis);
    } else {
      Decompressed whole = restore(in, sender, target, -1);
      byte[] ipv6 = whole.finish(whole.octets());
      datagram = Optional.of(new Datagram(ipv6, sender, whole.nhcInsideEsp()));
    }
    if (datagram.isPresent()) {
      checkLength(datagram.get().ipv6());
    }
    return datagram;
  }

  /**
   * Forgets packets that did not become whole in five seconds.
   *
   * @return how many were given up since the last call, for that reason and for others
   */
  public Map<Drop, Integer> expire(long nowMillis) {
    reassembler.expire(nowMillis);
    return reassembler.takeGivenUp();
  }

  private Compressor.Compressed compress(
      byte[] ipv6, LinkAddress source, LinkAddress destination, int room, Dialect dialect)
      throws WireException {
    return Compressor.compress(
        ipv6, source.interfaceId(), destination.interfaceId(), contexts, dialect, room);
  }

  private static boolean fits(Compressor.Compressed compressed, int maxPayload) {
    return compressed.header().size() + compressed.rest().remaining() <= maxPayload;
  }

  private Decompressed restore(
      WireReader in, LinkAddress source, LinkAddress destination, int wholeSize)
      throws WireException {
    int dispatch = in.peek();
    if ((dispatch & 0xe0) == Compressor.DISPATCH >> 8) {
      return Decompressor.decompress(
          in, source.interfaceId(), destination.interfaceId(), contexts, wholeSize);
    }
    if (dispatch == UNCOMPRESSED) {
      in.skip(1);
      return Decompressed.asIs(in.rest());
    }
    throw new WireException(
        dispatch == HC1
            ? Drop.HC1_OBSOLETE
            : dispatch >> 6 == 0 ? Drop.NOT_LOWPAN : Drop.DISPATCH_UNKNOWN);
  }

  /** What came uncompressed has been looked at by nobody yet. */
  private static void checkLength(byte[] ipv6) throws WireException {
    WireReader in = new WireReader(ipv6);
    if (in.u8() >> 4 != 6) {
      throw new WireException(Drop.IP_VERSION);
    }
    in.skip(3);
    if (in.u16() != ipv6.length - Ipv6Packet.HEADER) {
      throw new WireException(Drop.IP_LENGTH);
    }
  }
}
