package dev.vigil.border.sixlowpan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Vectors;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.FrameType;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recorded packets of Contiki-NG and Linux: decompressed, and compressed by this codec. */
class RecordedPacketsTest {
  private static final Contexts MESH = Contexts.mesh(new Ipv6Address(0xfd00L << 48, 0));

  static List<String> readableRecordings() {
    return Vectors.contikiFiles().stream().filter(file -> !file.contains("level4")).toList();
  }

  @ParameterizedTest
  @MethodSource("chains")
  void chainsOfHeadersAreCompressedAsTheMotesDo(Vectors.CompressedPacket vector)
      throws WireException {
    byte[] ipv6 = vector.ipv6();
    long from = vector.source();
    long to = vector.destination();
    Compressor.Compressed compressed =
        Compressor.compress(
            ipv6, from, to, MESH, NeighbourForms.whole(NhcSupport.IPSEC), Ipv6Packet.MIN_MTU);
    assertThat(compressed.rest().position()).isEqualTo(vector.covered());
    assertThat(compressed.header().toBytes()).isEqualTo(vector.headers());
    byte[] whole = compressed.header().bytes(compressed.rest().rest()).toBytes();
    Decompressed restored = Decompressor.decompress(new WireReader(whole), from, to, MESH, -1);
    assertThat(restored.octets()).isEqualTo(ipv6);
    assertThat(restored.saving()).isEqualTo(compressed.saving());
  }

  static List<Vectors.CompressedPacket> chains() {
    return Vectors.compressedPackets();
  }

  @ParameterizedTest
  @MethodSource("readableRecordings")
  void contikiFramesDecodeToThePacketsOfTheRecording(String file) throws WireException {
    LowpanCodec codec = new LowpanCodec(MESH, 0);
    int packets = 0;
    for (Vectors.RecordedFrame recorded : Vectors.contiki(file)) {
      byte[] plain = recorded.plain();
      Frame frame = Frame.parse(plain == null ? recorded.psdu() : plain);
      if (frame.control().type() != FrameType.DATA) {
        continue;
      }
      Optional<Datagram> datagram =
          codec.accept(frame.payload(), frame.source(), frame.destination(), recorded.line());
      byte[] expected = recorded.ipv6();
      if (expected == null) {
        assertThat(datagram).as(recorded.toString()).isEmpty();
      } else {
        assertThat(datagram.orElseThrow().ipv6()).as(recorded.toString()).isEqualTo(expected);
        packets++;
      }
    }
    assertThat(packets).isPositive();
  }

  @Test
  void linuxFramesDecodeToThePacketsTheKernelSent() throws WireException {
    for (Vectors.LinuxPacket packet : Vectors.linux()) {
      LowpanCodec codec = new LowpanCodec(Contexts.NONE, 0);
      Optional<Datagram> datagram = Optional.empty();
      for (Vectors.RecordedFrame recorded : packet.frames()) {
        assertThat(datagram).isEmpty();
        Frame frame = Frame.parse(recorded.psdu());
        datagram = codec.accept(frame.payload(), frame.source(), frame.destination(), 0);
      }
      assertThat(datagram.orElseThrow().ipv6()).as(packet.toString()).isEqualTo(packet.ipv6());
    }
  }

  @ParameterizedTest
  @MethodSource("readableRecordings")
  void recordedPacketsSurviveCompressionInEveryForm(String file) throws WireException {
    for (Vectors.RecordedFrame recorded : Vectors.contiki(file)) {
      byte[] ipv6 = recorded.ipv6();
      if (ipv6 != null) {
        Frame frame = Frame.parse(recorded.psdu());
        for (Contexts contexts : List.of(MESH, Contexts.NONE)) {
          everyWay(ipv6, frame.source(), frame.destination(), contexts);
        }
      }
    }
  }

  @Test
  void linuxPacketsSurviveCompressionWithAllAddressForms() throws WireException {
    for (Vectors.LinuxPacket packet : Vectors.linux()) {
      Frame frame = Frame.parse(packet.frames().getFirst().psdu());
      everyWay(packet.ipv6(), frame.source(), frame.destination(), Contexts.NONE);
    }
  }

  @Test
  void compressedPacketsAreNoLongerThanLinuxSendsThem() throws WireException {
    for (Vectors.LinuxPacket packet : Vectors.linux()) {
      Frame frame = Frame.parse(packet.frames().getFirst().psdu());
      if (packet.frames().size() == 1) {
        byte[] ours =
            new LowpanCodec(Contexts.NONE, 0)
                .encode(packet.ipv6(), frame.source(), frame.destination(), 125, NhcSupport.UDP)
                .getFirst();
        assertThat(ours).as(packet.toString()).hasSizeLessThanOrEqualTo(frame.payload().length);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("readableRecordings")
  void compressedPacketsAreNoLongerThanContikiSendsThem(String file) throws WireException {
    for (Vectors.RecordedFrame recorded : Vectors.contiki(file)) {
      byte[] plain = recorded.plain();
      Frame frame = Frame.parse(plain == null ? recorded.psdu() : plain);
      byte[] ipv6 = recorded.ipv6();
      if (ipv6 != null && frame.payload()[0] >> 5 == 3) {
        byte[] ours =
            new LowpanCodec(MESH, 0)
                .encode(ipv6, frame.source(), frame.destination(), 125, NhcSupport.CONTIKI_NG)
                .getFirst();
        assertThat(ours).as(recorded.toString()).hasSizeLessThanOrEqualTo(frame.payload().length);
      }
    }
  }

  private static void everyWay(
      byte[] ipv6, LinkAddress source, LinkAddress destination, Contexts contexts)
      throws WireException {
    for (NhcSupport nhc : NhcSupport.values()) {
      for (int room : new int[] {LowpanCodec.MIN_PAYLOAD, 81, 102, 116}) {
        LowpanCodec codec = new LowpanCodec(contexts, room);
        Optional<Datagram> datagram = Optional.empty();
        for (byte[] payload : codec.encode(ipv6, source, destination, room, nhc)) {
          assertThat(datagram).isEmpty();
          assertThat(payload).hasSizeLessThanOrEqualTo(room);
          datagram = codec.accept(payload, source, destination, 0);
        }
        assertThat(datagram.orElseThrow().ipv6()).isEqualTo(ipv6);
        assertThat(datagram.orElseThrow().sender()).isEqualTo(source);
      }
    }
  }
}
