package dev.vigil.border.ipsec;

import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Option;
import dev.vigil.border.ipv6.RplOption;
import dev.vigil.border.ipv6.SourceRoute;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * AH's algorithm with its key (RFC 4302). The ICV covers the packet of the remote host: RPL's
 * hop-by-hop header and source route are left out, because the RPL root adds and removes them on
 * the path. Holds cipher state: belongs to one thread.
 */
public final class AhTransform {
  private static final int FIXED = 12;
  private static final int ALIGNMENT = 8;

  private final Mac mac;
  private final int icvField;

  public AhTransform(Integrity integrity, byte[] key) {
    if (integrity == Integrity.NONE) {
      throw new IllegalArgumentException("AH needs an integrity algorithm");
    }
    this.mac = new Mac(integrity, key);
    int icv = integrity.icvLength();
    this.icvField = icv + Math.floorMod(-(FIXED + icv), ALIGNMENT);
  }

  public Integrity integrity() {
    return mac.algorithm();
  }

  /** Octets that protection adds to a packet. */
  public int overhead() {
    return FIXED + icvField;
  }

  /** Inserts an AH after the headers that routers process. */
  public Ipv6Packet protect(Ipv6Packet packet, int spi, long sequence) throws WireException {
    int at = HeaderPosition.of(packet.extensions());
    Ipv6Packet unsigned = with(packet, at, spi, sequence, new byte[icvField]);
    byte[] icv = mac.icv(canonical(unsigned).encode());
    byte[] field = new WireWriter(icvField).bytes(icv).zeros(icvField - icv.length).toBytes();
    return with(packet, at, spi, sequence, field);
  }

  /**
   * Checks the first AH of a packet.
   *
   * @return the packet without it
   * @throws WireException {@link Drop#ICV_WRONG}, {@link Drop#AH_LENGTH}, {@link Drop#POLICY} if
   *     there is none
   */
  public Ipv6Packet verify(Ipv6Packet packet) throws WireException {
    List<ExtensionHeader> headers = packet.extensions();
    for (int at = 0; at < headers.size(); at++) {
      if (headers.get(at) instanceof ExtensionHeader.Authentication ah) {
        if (ah.icv().length != icvField) {
          throw new WireException(Drop.AH_LENGTH);
        }
        check(packet, at, ah);
        List<ExtensionHeader> others = new ArrayList<>(headers);
        others.remove(at);
        return packet.withExtensions(others);
      }
    }
    throw new WireException(Drop.POLICY, "no AH");
  }

  private void check(Ipv6Packet packet, int at, ExtensionHeader.Authentication ah)
      throws WireException {
    WireReader field = new WireReader(ah.icv());
    byte[] icv = field.bytes(mac.algorithm().icvLength());
    // The ICV covers the padding after it as sent, not as zeros.
    byte[] blank = new WireWriter(icvField).zeros(icv.length).bytes(field.rest()).toBytes();
    List<ExtensionHeader> headers = new ArrayList<>(packet.extensions());
    headers.set(
        at, new ExtensionHeader.Authentication(ah.reserved(), ah.spi(), ah.sequence(), blank));
    if (!mac.verifies(canonical(packet.withExtensions(headers)).encode(), icv)) {
      throw new WireException(Drop.ICV_WRONG);
    }
  }

  /** The packet that the ICV covers: without RPL's headers, mutable fields zero. */
  static Ipv6Packet canonical(Ipv6Packet packet) throws WireException {
    List<ExtensionHeader> kept = new ArrayList<>();
    for (ExtensionHeader header : packet.extensions()) {
      switch (header) {
        case ExtensionHeader.HopByHop options -> {
          if (!RplOption.isOnlyOption(options)) {
            kept.add(new ExtensionHeader.HopByHop(zeroMutable(options.body())));
          }
        }
        case ExtensionHeader.DestinationOptions options ->
            kept.add(new ExtensionHeader.DestinationOptions(zeroMutable(options.body())));
        case ExtensionHeader.Routing routing -> {
          if (routing.type() != SourceRoute.TYPE) {
            kept.add(routing);
          }
        }
        case ExtensionHeader.Fragment fragment -> kept.add(fragment);
        case ExtensionHeader.Mobility mobility -> kept.add(mobility);
        case ExtensionHeader.Authentication ah -> kept.add(ah);
      }
    }
    return new Ipv6Packet(
        0,
        0,
        0,
        packet.source(),
        packet.finalDestination(),
        kept,
        packet.protocol(),
        packet.payload());
  }

  private static byte[] zeroMutable(byte[] body) throws WireException {
    WireWriter out = new WireWriter(body.length);
    for (Option option : Option.parseAll(body)) {
      option.write(out, option.isMutable());
    }
    return out.toBytes();
  }

  private static Ipv6Packet with(
      Ipv6Packet packet, int at, int spi, long sequence, byte[] icvField) {
    List<ExtensionHeader> headers = new ArrayList<>(packet.extensions());
    headers.add(at, new ExtensionHeader.Authentication(0, spi, sequence, icvField));
    return packet.withExtensions(headers);
  }
}
