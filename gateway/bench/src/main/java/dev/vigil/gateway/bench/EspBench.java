package dev.vigil.gateway.bench;

import dev.vigil.border.associations.SecurityAssociations;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipsec.AssociationFile;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.sixlowpan.Datagram;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.sixlowpan.NhcSupport;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.storage.DurableCounters;
import dev.vigil.border.wire.WireException;
import dev.vigil.gateway.bench.load.Progress;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/**
 * Extra processor time of the gateway for a packet in ESP compared with a packet in clear. It turns
 * received frames into a UDP payload, and a UDP payload into the frames of the answer, through the
 * associations that end at the gateway. CPU time of the one working thread; ESP and clear in turns.
 */
final class EspBench implements Benchmark {
  private static final int WARM_UP = 6;
  private static final int PACKETS = 40_000;

  /** One durable write for this many packets, as in a busy pipeline; here it goes to memory. */
  private static final int BATCH = 64;

  private static final int PAYLOAD = 64;
  private static final int ROOM = 95;
  private static final long PREFIX = 0xfd00L << 48;
  private static final Eui64 MOTE = new Eui64(0x0002000200020002L);
  private static final Eui64 ROOT = new Eui64(0x0001000100010001L);
  private static final Ipv6Address FROM = new Ipv6Address(PREFIX, MOTE.interfaceId());
  private static final Ipv6Address TO = new Ipv6Address(PREFIX, ROOT.interfaceId());

  /** One end: its associations (none for the end in clear), and its compression. */
  private record End(SecurityAssociations associations, LowpanCodec codec) {
    static End of(String file) throws WireException, IOException {
      SecurityAssociations associations = new SecurityAssociations(new Memory(), new Random(1));
      associations.install(AssociationFile.parse(file, AssociationFile.MOTE_ENTRIES), false, true);
      return new End(associations, new LowpanCodec(Contexts.mesh(new Ipv6Address(PREFIX, 0)), 0));
    }
  }

  /** Counters that cost nothing to make durable. */
  private static final class Memory implements DurableCounters {
    private final Map<String, Long> numbers = new HashMap<>();

    @Override
    public OptionalLong load(String name) {
      Long number = numbers.get(name);
      return number == null ? OptionalLong.empty() : OptionalLong.of(number);
    }

    @Override
    public Map<String, Long> loadAll(String prefix) {
      return Map.of();
    }

    @Override
    public void save(Map<String, Long> batch) {
      numbers.putAll(batch);
    }
  }

  @Override
  public List<Target> targets() {
    return List.of(Target.ESP_EXTRA);
  }

  @Override
  public List<Figure> measure(Set<Target> wanted, Effort effort) throws WireException, IOException {
    Progress.say("%s", Target.ESP_EXTRA.label);
    End mote = End.of(lines("out", "in"));
    End gateway = End.of(lines("in", "out"));
    End clearMote = End.of("");
    End clearGateway = End.of("");
    List<Figure.Round> rounds = new ArrayList<>();
    for (int round = -WARM_UP; round < effort.of(9, 3); round++) {
      double clear = micros(clearMote, clearGateway);
      double esp = micros(mote, gateway);
      if (round >= 0) {
        rounds.add(Figure.Round.of(esp - clear));
      }
    }
    return List.of(new Figure(Target.ESP_EXTRA, rounds));
  }

  private static String lines(String up, String down) {
    String form = "%s esp ctr-xcbc 0x1100000%d %s %s %s %s%n";
    return form.formatted(up, 1, FROM, TO, "1".repeat(40), "2".repeat(32))
        + form.formatted(down, 2, TO, FROM, "3".repeat(40), "4".repeat(32));
  }

  /** CPU microseconds of the gateway for a packet, received or sent. */
  private static double micros(End mote, End gateway) throws WireException {
    List<List<byte[]>> received = new ArrayList<>();
    for (int i = 0; i < PACKETS; i++) {
      received.add(frames(mote, udp(FROM, TO), MOTE, ROOT));
    }
    long delivered = 0;
    long sent = 0;
    long start = cpu();
    for (int i = 0; i < PACKETS; i++) {
      for (byte[] payload : received.get(i)) {
        var datagram =
            gateway.codec().accept(payload, LinkAddress.of(MOTE), LinkAddress.of(ROOT), 0);
        if (datagram.isPresent()) {
          delivered += open(gateway, datagram.get());
        }
      }
      if (i % BATCH == BATCH - 1 && !gateway.associations().persist()) {
        throw new IllegalStateException("not durable");
      }
      sent += frames(gateway, udp(TO, FROM), ROOT, MOTE).size();
    }
    long nanos = cpu() - start;
    if (delivered != (long) PACKETS * PAYLOAD || sent < PACKETS) {
      throw new IllegalStateException("lost octets");
    }
    return nanos / 1e3 / (2 * PACKETS);
  }

  private static int open(End end, Datagram datagram) throws WireException {
    Ipv6Packet open = end.associations().open(Ipv6Packet.parse(datagram.ipv6()));
    return Udp.parse(open.payload(), open.source(), open.destination()).payload().length;
  }

  private static List<byte[]> frames(End end, Ipv6Packet packet, Eui64 from, Eui64 to)
      throws WireException {
    byte[] ipv6 = end.associations().protect(packet).encode();
    return end.codec()
        .encode(ipv6, LinkAddress.of(from), LinkAddress.of(to), ROOM, NhcSupport.IPSEC);
  }

  private static Ipv6Packet udp(Ipv6Address from, Ipv6Address to) {
    byte[] message = new Udp(5683, 5683, new byte[PAYLOAD]).encode(from, to);
    return Ipv6Packet.of(from, to, 64, Protocol.UDP, message);
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
