package dev.vigil.gateway.bench;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.KeyId;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ieee802154.LinkKey;
import dev.vigil.border.ieee802154.LinkKeys;
import dev.vigil.border.ieee802154.LinkSecurity;
import dev.vigil.border.ieee802154.ReplayTable;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.ipsec.Association;
import dev.vigil.border.ipsec.Encryption;
import dev.vigil.border.ipsec.InboundAssociation;
import dev.vigil.border.ipsec.Integrity;
import dev.vigil.border.ipsec.OutboundAssociation;
import dev.vigil.border.ipsec.SequenceCounter;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.RplOption;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.sixlowpan.Datagram;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.sixlowpan.NhcSupport;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.WireException;
import dev.vigil.gateway.bench.load.Progress;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/**
 * The bridge's codecs: CPU time of the one working thread, so that other load does not count;
 * rounds after a warm-up.
 */
final class BridgeBench implements Benchmark {
  private static final int WARM_UP = 6;
  private static final int CODEC_TURNS = 400_000;
  private static final int FRAMES = 60_000;

  private static final Eui64 MOTE = new Eui64(0x0002000200020002L);
  private static final Eui64 ROOT = new Eui64(0x0001000100010001L);
  private static final LinkAddress FROM_LINK = LinkAddress.of(MOTE);
  private static final LinkAddress TO_LINK = LinkAddress.of(ROOT);
  private static final Ipv6Address FROM = new Ipv6Address(0xfd00L << 48, MOTE.interfaceId());
  private static final Ipv6Address TO = new Ipv6Address(0xfd00L << 48, ROOT.interfaceId());
  private static final Contexts MESH = Contexts.mesh(new Ipv6Address(0xfd00L << 48, 0));
  private static final int ROOM = 95;

  @Override
  public List<Target> targets() {
    return List.of(Target.CODEC, Target.CODEC_ESP, Target.PIPELINE, Target.PIPELINE_FRAGMENTED);
  }

  @Override
  public List<Figure> measure(Set<Target> wanted, Effort effort) throws WireException {
    List<Figure> figures = new ArrayList<>();
    for (Target target : wanted) {
      Progress.say("%s", target.label);
      figures.add(
          new Figure(
              target,
              switch (target) {
                case CODEC -> codecNanos(udp(32), effort);
                case CODEC_ESP -> codecNanos(protect(32), effort);
                case PIPELINE -> pipelineRate(32, effort);
                case PIPELINE_FRAGMENTED -> pipelineRate(300, effort);
                default -> throw new IllegalArgumentException(target.label);
              }));
    }
    return figures;
  }

  /** CPU nanoseconds to compress a packet of one frame and restore it. */
  private static List<Figure.Round> codecNanos(Ipv6Packet packet, Effort effort)
      throws WireException {
    byte[] ipv6 = packet.encode();
    LowpanCodec codec = new LowpanCodec(MESH, 0);
    List<Figure.Round> rounds = new ArrayList<>();
    for (int round = -WARM_UP; round < effort.of(9, 3); round++) {
      long start = cpu();
      for (int i = 0; i < CODEC_TURNS; i++) {
        byte[] payload = codec.encode(ipv6, FROM_LINK, TO_LINK, ROOM, NhcSupport.IPSEC).getFirst();
        Optional<Datagram> datagram = codec.accept(payload, FROM_LINK, TO_LINK, 0);
        if (datagram.orElseThrow().ipv6().length != ipv6.length) {
          throw new IllegalStateException("lost octets");
        }
      }
      record(rounds, round, (double) (cpu() - start) / CODEC_TURNS);
    }
    return rounds;
  }

  /**
   * Frames a second on one core, from the PSDU to the UDP payload: parse, open level 5, replay,
   * reassemble, decompress, ESP (AES-CTR, AES-XCBC-96), UDP with its checksum.
   */
  private static List<Figure.Round> pipelineRate(int payload, Effort effort) throws WireException {
    List<Figure.Round> rounds = new ArrayList<>();
    for (int round = -WARM_UP; round < effort.of(9, 3); round++) {
      List<byte[]> frames = frames(payload);
      LinkSecurity link = link();
      InboundAssociation association = new InboundAssociation(association(), 0);
      LowpanCodec codec = new LowpanCodec(MESH, 0);
      long delivered = 0;
      long start = cpu();
      for (byte[] psdu : frames) {
        Frame frame = Frame.parse(psdu);
        Optional<Datagram> datagram =
            codec.accept(link.open(frame), frame.source(), frame.destination(), 0);
        if (datagram.isPresent()) {
          Ipv6Packet packet = Ipv6Packet.parse(datagram.get().ipv6());
          Ipv6Packet open = association.open(packet);
          delivered +=
              Udp.parse(open.payload(), open.source(), open.destination()).payload().length;
        }
      }
      double seconds = (cpu() - start) / 1e9;
      if (delivered == 0 || delivered % payload != 0) {
        throw new IllegalStateException("nothing delivered");
      }
      record(rounds, round, frames.size() / seconds);
    }
    return rounds;
  }

  private static List<byte[]> frames(int payload) throws WireException {
    OutboundAssociation out =
        new OutboundAssociation(
            association(),
            new SequenceCounter(OptionalLong.of(0), 1 << 20, ignored -> {}),
            new Random(1));
    LinkSecurity link = link();
    LowpanCodec codec = new LowpanCodec(MESH, 0);
    List<byte[]> frames = new ArrayList<>(FRAMES);
    long counter = 0;
    while (frames.size() < FRAMES) {
      byte[] ipv6 = out.protect(udp(payload)).encode();
      for (byte[] part : codec.encode(ipv6, FROM_LINK, TO_LINK, ROOM, NhcSupport.IPSEC)) {
        Frame clear = Frame.data((int) counter & 0xff, 0xabcd, TO_LINK, FROM_LINK, true, part);
        frames.add(
            link.seal(clear, SecurityLevel.ENC_MIC_32, KeyId.IMPLICIT, MOTE, counter++).encode());
      }
    }
    return frames;
  }

  private static LinkSecurity link() {
    LinkKey key = new LinkKey(octets(16, 1));
    return new LinkSecurity(
        LinkKeys.network(key),
        Set.of(SecurityLevel.ENC_MIC_32),
        new ReplayTable(100),
        address -> null);
  }

  private static Association association() {
    return new Association(
        "bench",
        FROM,
        TO,
        1,
        new Association.EspProtection(
            Encryption.AES_CTR, octets(20, 2), Integrity.AES_XCBC_96, octets(16, 3)),
        Association.DEFAULT_WINDOW);
  }

  private static Ipv6Packet protect(int payload) throws WireException {
    return new OutboundAssociation(
            association(), new SequenceCounter(OptionalLong.of(0), 1, ignored -> {}), new Random(1))
        .protect(udp(payload));
  }

  private static Ipv6Packet udp(int payload) {
    byte[] message = new Udp(5683, 5683, octets(payload, 4)).encode(FROM, TO);
    return Ipv6Packet.of(FROM, TO, 64, Protocol.UDP, message)
        .withExtensions(List.of(new RplOption(0, 0, 256).header()));
  }

  private static byte[] octets(int length, int seed) {
    byte[] octets = new byte[length];
    new Random(seed).nextBytes(octets);
    return octets;
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void record(List<Figure.Round> rounds, int round, double value) {
    if (round >= 0) {
      rounds.add(Figure.Round.of(value));
    }
  }
}
