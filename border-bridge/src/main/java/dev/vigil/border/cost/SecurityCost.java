package dev.vigil.border.cost;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.sixlowpan.NhcSupport;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The security cost model. The bridge's codecs make the frames; energy and time follow from their
 * octets and AES blocks. The model does not include acknowledgements, waiting for a free channel
 * and idle listening.
 *
 * @param cpu of link security and IPsec
 * @param signMillis processor time of a signature
 */
public record SecurityCost(Board board, CpuTime cpu, double signMillis) {
  /**
   * Instructions of a P-256 signature with BearSSL on a Cortex-M3, counted under QEMU
   * (docs/mote-firmware-benchmarks.md).
   */
  public static final double SIGN_INSTRUCTIONS = 7_070_000;

  private static final double INSTRUCTIONS_PER_MILLI = 16_000;

  /** A Tmote Sky that signs like a Cortex-M3 at 16 MHz with one cycle an instruction. */
  public static final SecurityCost DEFAULT =
      new SecurityCost(
          Board.TMOTE_SKY, CpuTime.TMOTE_SKY, SIGN_INSTRUCTIONS / INSTRUCTIONS_PER_MILLI);

  private static final long MESH_PREFIX = 0xfd00L << 48;
  private static final Ipv6Address HOST = new Ipv6Address(0x2001_0db8L << 32, 1);
  private static final long FIRST_EUI64 = 0x0212_7400_0000_0000L;
  private static final double MILLIS = 1000;
  private static final double MICRO = 1e-6;

  /** A configuration with its cost. */
  public record Choice(Configuration configuration, Cost cost) {}

  /** The frames of a message on one hop. */
  private record HopFrames(List<LinkFrame> list) {
    Cost.Hop cost() {
      return new Cost.Hop(
          list.size(),
          list.stream().mapToInt(LinkFrame::octets).sum(),
          list.stream().mapToDouble(LinkFrame::millis).sum(),
          list.stream().mapToInt(LinkFrame::aesBlocks).sum());
    }
  }

  /**
   * The configuration with the least energy of mote and routers together that meets all needs;
   * empty if no configuration does.
   */
  public Optional<Choice> cheapest(Scenario scenario, Set<Need> needs) {
    return Configuration.all().stream()
        .filter(configuration -> configuration.meets().containsAll(needs))
        .map(configuration -> new Choice(configuration, of(scenario, configuration)))
        .min(Comparator.comparingDouble(choice -> choice.cost().microjoules()));
  }

  /** The cost of a message. */
  public Cost of(Scenario scenario, Configuration configuration) {
    byte[] message =
        new byte[scenario.payload() + (configuration.signed() ? Configuration.SIGNED_OVERHEAD : 0)];
    Ipv6Address peer = scenario.toHost() ? HOST : address(0);
    try {
      Transport.Protected packet =
          configuration.transport().send(address(scenario.hops()), peer, scenario.hops(), message);
      List<Cost.Hop> hops = new ArrayList<>();
      for (int from = scenario.hops(); from > 0; from--) {
        int limit = packet.packet().hopLimit() - (scenario.hops() - from);
        byte[] ipv6 = packet.packet().withHopLimit(limit).encode();
        hops.add(frames(ipv6, from, configuration.level()).cost());
      }
      return sum(scenario, hops, packet.aesBlocks(), configuration.signed());
    } catch (WireException e) {
      throw new IllegalStateException("the codec refuses its own packet", e);
    }
  }

  private static HopFrames frames(byte[] ipv6, int from, SecurityLevel level) throws WireException {
    LinkAddress sender = LinkAddress.of(eui64(from));
    LinkAddress receiver = LinkAddress.of(eui64(from - 1));
    LowpanCodec codec = new LowpanCodec(Contexts.mesh(new Ipv6Address(MESH_PREFIX, 0)), 0);
    int room = LinkFrame.room(level, sender, receiver);
    return new HopFrames(
        codec.encode(ipv6, sender, receiver, room, NhcSupport.IPSEC).stream()
            .map(payload -> LinkFrame.seal(level, sender, receiver, payload))
            .toList());
  }

  private Cost sum(Scenario scenario, List<Cost.Hop> hops, int packetBlocks, boolean signed) {
    Cost.Hop first = hops.getFirst();
    int blocks = packetBlocks + first.aesBlocks();
    double cpuMillis = cpu.millis(first.frames(), blocks) + (signed ? signMillis : 0);
    Board.Work mote = new Board.Work(first.airMillis(), 0, cpuMillis);
    double moteMicrojoules = board.microjoules(mote);
    double relayMicrojoules = 0;
    double latency = cpuMillis + first.airMillis();
    for (int i = 1; i < hops.size(); i++) {
      Cost.Hop in = hops.get(i - 1);
      Cost.Hop out = hops.get(i);
      double relayCpu = cpu.millis(out.frames(), in.aesBlocks() + out.aesBlocks());
      relayMicrojoules +=
          board.microjoules(new Board.Work(out.airMillis(), in.airMillis(), relayCpu));
      latency += relayCpu + out.airMillis();
    }
    double battery = board.batteryJoules(scenario.milliampHours());
    return new Cost(
        hops,
        blocks,
        moteMicrojoules,
        relayMicrojoules,
        latency,
        sleeping(mote, scenario).days(battery),
        listening(scenario).days(battery));
  }

  private DutyCycle sleeping(Board.Work work, Scenario scenario) {
    return new DutyCycle(
        board.volts(),
        board.microjoules(work) * MICRO,
        work.millis() / MILLIS,
        board.sleepMilliamps(),
        scenario.wakeSeconds());
  }

  /** The radio listens all the time. The additional energy of sending is left out. */
  private DutyCycle listening(Scenario scenario) {
    return DutyCycle.of(
        board.volts(), board.rxMilliamps(), scenario.wakeSeconds(), 0, scenario.wakeSeconds());
  }

  private static Eui64 eui64(int node) {
    return new Eui64(FIRST_EUI64 + node + 1);
  }

  private static Ipv6Address address(int node) {
    return new Ipv6Address(MESH_PREFIX, eui64(node).interfaceId());
  }
}
