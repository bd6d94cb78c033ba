package dev.vigil.border.sixlowpan;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Packets drawn from a seed, with every compressible and many incompressible fields. */
final class RandomPackets {
  private final Random random;
  final Contexts contexts;
  final LinkAddress source;
  final LinkAddress destination;

  RandomPackets(long seed) {
    random = new Random(seed);
    List<Contexts.Context> list = new ArrayList<>();
    for (int id = 0; id < 16; id++) {
      if (random.nextInt(4) == 0) {
        int length = random.nextBoolean() ? 64 : random.nextInt(129);
        list.add(new Contexts.Context(id, anyAddress(), length));
      }
    }
    contexts = new Contexts(list);
    source = linkAddress();
    destination = linkAddress();
  }

  Random random() {
    return random;
  }

  Ipv6Packet packet(int maxPayload) {
    int protocol = pick(Protocol.UDP, Protocol.UDP, Protocol.ESP, Protocol.ICMPV6, 6, 59, 253);
    byte[] payload = payload(protocol, random.nextInt(maxPayload));
    return new Ipv6Packet(
        pick(0, 0, random.nextInt(256), random.nextInt(4)),
        pick(0, 0, random.nextInt(1 << 20)),
        pick(1, 64, 255, random.nextInt(256)),
        address(source.interfaceId(), false),
        address(destination.interfaceId(), true),
        extensions(),
        protocol,
        payload);
  }

  private List<ExtensionHeader> extensions() {
    List<ExtensionHeader> headers = new ArrayList<>();
    int count = pick(0, 0, 1, 2, 5);
    for (int i = 0; i < count; i++) {
      headers.add(
          switch (random.nextInt(6)) {
            case 0 -> new ExtensionHeader.HopByHop(octets(6 + 8 * random.nextInt(3)));
            case 1 -> new ExtensionHeader.DestinationOptions(octets(6 + 8 * random.nextInt(3)));
            case 2 -> new ExtensionHeader.Routing(3, random.nextInt(2), octets(4 + 8 * 2));
            case 3 -> new ExtensionHeader.Mobility(octets(6));
            case 4 ->
                new ExtensionHeader.Authentication(
                    pick(0, 0, 0, 7),
                    pick(1, 2, random.nextInt()),
                    random.nextBoolean() ? random.nextInt(70000) : random.nextLong(1L << 32),
                    octets(pick(12, 12, 16, 20, 0)));
            default -> new ExtensionHeader.DestinationOptions(octets(6));
          });
    }
    if (random.nextInt(8) == 0) {
      headers.add(
          new ExtensionHeader.Fragment(
              pick(0, 6, 9), random.nextInt(0x10000), random.nextLong(1L << 32)));
    }
    return headers;
  }

  private byte[] payload(int protocol, int length) {
    return switch (protocol) {
      case Protocol.UDP ->
          new WireWriter(8 + length)
              .u16(port())
              .u16(port())
              .u16(8 + length)
              .u16(random.nextInt(0x10000))
              .bytes(octets(length))
              .toBytes();
      case Protocol.ESP ->
          new WireWriter(8 + length)
              .u32(pick(1, 0, 200, 60000, random.nextInt()))
              .u32(pick(5, 70000, random.nextInt()))
              .bytes(octets(length))
              .toBytes();
      default -> octets(length);
    };
  }

  private int port() {
    return pick(0xf0b0 + random.nextInt(16), 0xf000 + random.nextInt(256), random.nextInt(0x10000));
  }

  private Ipv6Address address(long linkId, boolean destinationToo) {
    long high = pick(0, 1, 2) == 0 || contexts.list().isEmpty() ? 0xfe80L << 48 : contextPrefix();
    return switch (random.nextInt(destinationToo ? 9 : 6)) {
      case 0 -> Ipv6Address.UNSPECIFIED;
      case 1 -> anyAddress();
      case 2 -> new Ipv6Address(high, linkId);
      case 3 -> new Ipv6Address(high, 0xff_fe00_0000L | random.nextInt(0x10000));
      case 4 -> new Ipv6Address(high, random.nextLong());
      case 5 -> inContext(linkId);
      case 6 -> new Ipv6Address(0xff02L << 48, random.nextInt(300));
      case 7 ->
          new Ipv6Address(
              (0xff00L | random.nextInt(256)) << 48,
              random.nextLong(1L << pick(8, 24, 25, 40, 41)));
      default -> prefixBasedMulticast();
    };
  }

  private long contextPrefix() {
    return context().prefix().high();
  }

  private Ipv6Address inContext(long linkId) {
    if (contexts.list().isEmpty()) {
      return Ipv6Address.LOOPBACK;
    }
    Contexts.Context context = context();
    long id = random.nextBoolean() ? linkId : random.nextLong();
    return context.prefix().prefixOf(context.length(), new Ipv6Address(0, id));
  }

  private Ipv6Address prefixBasedMulticast() {
    if (contexts.list().isEmpty()) {
      return Ipv6Address.ALL_NODES;
    }
    Contexts.Context context = context();
    long prefix = context.prefix().high();
    long start = 0xff35L << 48 | 5L << 40 | (long) context.length() << 32;
    return new Ipv6Address(start | prefix >>> 32, prefix << 32 | random.nextInt(1 << 20));
  }

  private Contexts.Context context() {
    return contexts.list().get(random.nextInt(contexts.list().size()));
  }

  private LinkAddress linkAddress() {
    return random.nextBoolean()
        ? new LinkAddress.Short(random.nextInt(0x10000))
        : LinkAddress.of(new Eui64(random.nextLong()));
  }

  private Ipv6Address anyAddress() {
    return new Ipv6Address(random.nextLong(), random.nextLong());
  }

  byte[] octets(int length) {
    byte[] octets = new byte[length];
    random.nextBytes(octets);
    return octets;
  }

  private int pick(int... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
