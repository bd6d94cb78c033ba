package dev.vigil.border.sixlowpan;

import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Converts IPv6 packets to payloads of 802.15.4 data frames and back (RFC 4944, RFC 6282).
 *
 * <p>Holds the fragments of incomplete packets and the next datagram tag; belongs to one thread.
 */
public final class LowpanCodec {
  /** The shortest payload that can carry the headers of every packet. */
  public static final int MIN_PAYLOAD = 60;

  private static final int UNCOMPRESSED = 0x41;
  private static final int HC1 = 0x42;
  private static final int BROADCAST = 0x50;

  private final Contexts contexts;
  private final Reassembler reassembler = new Reassembler(Reassembler.Limits.DEFAULT);
  private int nextTag;

  /**
   * @param firstTag the first datagram tag; random
   */
  public LowpanCodec(Contexts contexts, int firstTag) {
    this.contexts = contexts;
    this.nextTag = firstTag;
  }

  /**
   * A packet in 6LoWPAN.
   *
   * @param payloads of its frames in sending order
   * @param saving octets saved by compressed AH and ESP
   */
  public record Encoded(List<byte[]> payloads, IpsecSaving saving) {}

  /**
   * Compresses a packet and splits it if it does not fit.
   *
   * @param ipv6 one whole packet
   * @param source link address of the frames
   * @param destination link address of the frames
   * @param maxPayload octets of a frame's payload, without MAC header, MIC and FCS; at least {@link
   *     #MIN_PAYLOAD}
   * @param nhc the compressed headers that the receiver can read
   * @return frame payloads in sending order
   * @throws WireException if the packet is not IPv6 with a correct length, or longer than 2047
   *     octets
   */
  public List<byte[]> encode(
      byte[] ipv6, LinkAddress source, LinkAddress destination, int maxPayload, NhcSupport nhc)
      throws WireException {
    return encodeCounted(ipv6, source, destination, maxPayload, NeighbourForms.whole(nhc))
        .payloads();
  }

  /** Like {@link #encode}, and also returns the saving by compressed AH and ESP. */
  public Encoded encodeCounted(
      byte[] ipv6,
      LinkAddress source,
      LinkAddress destination,
      int maxPayload,
      NeighbourForms forms)
      throws WireException {
    if (maxPayload < MIN_PAYLOAD) {
      throw new IllegalArgumentException("a payload must have at least " + MIN_PAYLOAD + " octets");
    }
    Compressor.Compressed compressed = compress(ipv6, source, destination, maxPayload, forms);
    if (!fits(compressed, maxPayload)) {
      // A first fragment has a fragment header, and its uncompressed part fills whole units of 8
      // octets.
      int maxHeaders = maxPayload - FragmentHeader.FIRST_LENGTH - FragmentHeader.UNIT;
      compressed = compress(ipv6, source, destination, maxHeaders, forms);
      if (!fits(compressed, maxPayload)) {
        return new Encoded(
            Fragmenter.split(compressed, ipv6.length, nextTag++ & 0xffff, maxPayload),
            compressed.saving());
      }
    }
    compressed.rest().copyTo(compressed.header(), compressed.rest().remaining());
    return new Encoded(List.of(compressed.header().toBytes()), compressed.saving());
  }

  /**
   * Takes the decrypted payload of a received data frame.
   *
   * @param nowMillis time of a monotonic clock, in milliseconds
   * @return the packet that this payload completed
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
      datagram = Optional.of(whole.datagram(whole.octets(), sender));
    }
    if (datagram.isPresent()) {
      checkLength(datagram.get().ipv6());
    }
    return datagram;
  }

  /**
   * Discards packets that are incomplete after five seconds.
   *
   * @return the number of packets discarded since the last call, by reason
   */
  public Map<Drop, Integer> expire(long nowMillis) {
    reassembler.expire(nowMillis);
    return reassembler.takeDiscarded();
  }

  private Compressor.Compressed compress(
      byte[] ipv6, LinkAddress source, LinkAddress destination, int maxLength, NeighbourForms forms)
      throws WireException {
    Contexts usable = forms.contextsKnown() ? contexts : Contexts.NONE;
    return Compressor.compress(
        ipv6, source.interfaceId(), destination.interfaceId(), usable, forms, maxLength);
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

  /** Checks version and length, which are still unchecked in an uncompressed packet. */
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
