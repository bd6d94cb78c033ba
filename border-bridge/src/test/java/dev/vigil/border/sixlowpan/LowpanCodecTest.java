package dev.vigil.border.sixlowpan;

import static dev.vigil.border.WireAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LowpanCodecTest {
  private static final Eui64 NODE = new Eui64(0x0002000200020002L);
  private static final LinkAddress A = LinkAddress.of(NODE);
  private static final LinkAddress B = LinkAddress.of(new Eui64(0x0001000100010001L));
  private static final Ipv6Address FROM = Ipv6Address.linkLocal(A.interfaceId());
  private static final Ipv6Address TO = Ipv6Address.linkLocal(B.interfaceId());

  private final LowpanCodec codec = new LowpanCodec(Contexts.NONE, 0xffff);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomPacketsSurviveShuffledAndRepeatedFragments(long seed) throws WireException {
    for (int i = 0; i < 400; i++) {
      RandomPackets packets = new RandomPackets(seed * 1000 + i);
      Random random = packets.random();
      byte[] ipv6 = packets.packet(random.nextBoolean() ? 60 : 900).encode();
      NhcSupport nhc = NhcSupport.values()[random.nextInt(4)];
      int room = LowpanCodec.MIN_PAYLOAD + random.nextInt(60);
      LowpanCodec both = new LowpanCodec(packets.contexts, random.nextInt());
      List<byte[]> payloads =
          new ArrayList<>(both.encode(ipv6, packets.source, packets.destination, room, nhc));
      Collections.shuffle(payloads, random);
      List<byte[]> received = new ArrayList<>();
      for (byte[] payload : payloads) {
        assertThat(payload).hasSizeLessThanOrEqualTo(room);
        received.add(payload);
        if (random.nextInt(3) == 0 && received.size() < payloads.size()) {
          received.add(payload);
        }
      }
      Optional<Datagram> datagram = Optional.empty();
      for (byte[] payload : received) {
        assertThat(datagram).isEmpty();
        datagram = both.accept(payload, packets.source, packets.destination, 0);
      }
      assertThat(datagram.orElseThrow().ipv6()).as("seed %d", seed * 1000 + i).isEqualTo(ipv6);
      assertThat(both.expire(Long.MAX_VALUE)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void randomOctetsAreDropped(long seed) {
    RandomPackets packets = new RandomPackets(seed);
    LowpanCodec receiver = new LowpanCodec(packets.contexts, 0);
    int refused = 0;
    for (int i = 0; i < 20000; i++) {
      byte[] payload = packets.octets(packets.random().nextInt(103));
      try {
        receiver.accept(payload, packets.source, packets.destination, i);
      } catch (WireException e) {
        assertThat(e.reason()).isNotNull();
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void fragmentsFitContikisBuffersAndKeepTheHeadersTogether() throws WireException {
    List<byte[]> fragments = codec.encode(udp(1200).encode(), A, B, 125, NhcSupport.CONTIKI_NG);
    int at = 0;
    for (byte[] fragment : fragments) {
      boolean first = fragment == fragments.getFirst();
      int size = (fragment[0] & 7) << 8 | fragment[1] & 0xff;
      assertThat(size).isEqualTo(1248);
      assertThat(fragment[0] & 0xf8).isEqualTo(first ? 0xc0 : 0xe0);
      assertThat(Hex.format(fragment).substring(4, 8)).isEqualTo("ffff");
      if (first) {
        assertThat(Hex.format(fragment)).contains("7e33f016331633");
        int content = fragment.length - 4 - 9;
        at = 48 + content;
        assertThat(at).isLessThanOrEqualTo(148).matches(end -> end % 8 == 0);
      } else {
        assertThat((fragment[4] & 0xff) * 8).isEqualTo(at);
        assertThat(fragment.length - 5).isLessThanOrEqualTo(110);
        at += fragment.length - 5;
      }
    }
    assertThat(at).isEqualTo(1248);
    assertThat(codec.encode(udp(1200).encode(), A, B, 125, NhcSupport.UDP).getFirst()[2])
        .as("the tag wraps")
        .isZero();
  }

  @Test
  void anOverlapWithoutRepetitionEndsThePacket() throws WireException {
    List<byte[]> fragments = codec.encode(udp(300).encode(), A, B, 80, NhcSupport.UDP);
    accept(fragments.get(0), 0);
    accept(fragments.get(1), 0);
    byte[] changed = fragments.get(1).clone();
    changed[20] ^= 1;
    refuses(Drop.FRAGMENT_OVERLAP, () -> accept(changed, 0));
    for (byte[] fragment : fragments.subList(2, fragments.size())) {
      assertThat(accept(fragment, 0)).isEmpty();
    }
    assertThat(accept(fragments.get(0), 0)).isEmpty();
    assertThat(accept(fragments.get(1), 0)).isPresent();
  }

  @Test
  void aPacketHasFiveSecondsFromItsFirstFragment() throws WireException {
    List<byte[]> fragments = codec.encode(udp(100).encode(), A, B, 80, NhcSupport.UDP);
    assertThat(accept(fragments.get(1), 1000)).isEmpty();
    assertThat(codec.expire(5999)).isEmpty();
    assertThat(accept(fragments.get(0), 5999)).isPresent();
    accept(fragments.get(1), 10_000);
    assertThat(accept(fragments.get(0), 15_000)).isEmpty();
    assertThat(codec.expire(15_000)).isEqualTo(Map.of(Drop.FRAGMENT_TIMEOUT, 1));
    assertThat(codec.expire(20_000)).isEqualTo(Map.of(Drop.FRAGMENT_TIMEOUT, 1));
    assertThat(codec.expire(30_000)).isEmpty();
  }

  @Test
  void aSendersOldestIncompletePacketMakesRoom() throws WireException {
    List<byte[]> fragments = codec.encode(udp(300).encode(), A, B, 80, NhcSupport.UDP);
    byte[] first = fragments.getFirst();
    for (int tag = 1; tag <= 9; tag++) {
      first[3] = (byte) tag;
      assertThat(accept(first, tag)).isEmpty();
    }
    assertThat(codec.expire(10)).isEqualTo(Map.of(Drop.FRAGMENT_SENDER_LIMIT, 5));
    Optional<Datagram> whole = Optional.empty();
    for (byte[] fragment : fragments) {
      fragment[3] = 9;
      whole = accept(fragment, 10);
    }
    assertThat(whole).isPresent();
  }

  @Test
  void theOldestIncompletePacketMakesRoom() throws WireException {
    List<byte[]> fragments = codec.encode(udp(300).encode(), A, B, 80, NhcSupport.UDP);
    byte[] first = fragments.getFirst();
    for (int node = 0; node < 100; node++) {
      codec.accept(first, new LinkAddress.Short(node), B, 0);
    }
    assertThat(codec.expire(0)).isEqualTo(Map.of(Drop.FRAGMENT_TABLE_FULL, 36));
    Optional<Datagram> whole = Optional.empty();
    for (byte[] fragment : fragments) {
      whole = accept(fragment, 0);
    }
    assertThat(whole).isPresent();
  }

  @Test
  void namesEachMalformedFragment() throws WireException {
    refuses(Drop.TRUNCATED, () -> accept(Hex.parse("c0f800"), 0));
    refuses(Drop.FRAGMENT_SIZE, () -> accept(Hex.parse("c0000001" + "41"), 0));
    refuses(Drop.FRAGMENT_SIZE, () -> accept(Hex.parse("c7ff0001" + "41"), 0));
    refuses(Drop.FRAGMENT_SIZE, () -> accept(Hex.parse("c0200001" + "7a333b"), 0));
    refuses(Drop.FRAGMENT_OFFSET, () -> accept(Hex.parse("e0f8000105"), 0));
    refuses(Drop.FRAGMENT_OFFSET, () -> accept(Hex.parse("e0f8000105" + "aabbcc"), 0));
    refuses(Drop.FRAGMENT_OFFSET, () -> accept(Hex.parse("e0300001ff" + "00".repeat(8)), 0));
    refuses(Drop.FRAGMENT_OFFSET, () -> accept(Hex.parse("e030000100" + "00".repeat(7)), 0));
    refuses(Drop.DISPATCH_UNKNOWN, () -> accept(Hex.parse("c0f80001" + "c0f80001"), 0));
    assertThat(codec.expire(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void refusesPacketsLongerThanAFragmentHeaderCanExpress() {
    byte[] large = udp(2000).encode();
    refuses(Drop.FRAGMENT_SIZE, () -> codec.encode(large, A, B, 80, NhcSupport.UDP));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.encode(udp(1).encode(), A, B, 59, NhcSupport.UDP));
  }

  @Test
  void malformedPacketsAreNotSent() {
    byte[] version4 = udp(10).encode();
    version4[0] = 0x45;
    refuses(Drop.IP_VERSION, () -> codec.encode(version4, A, B, 80, NhcSupport.UDP));
    byte[] cut = Arrays.copyOf(udp(10).encode(), 50);
    refuses(Drop.IP_LENGTH, () -> codec.encode(cut, A, B, 80, NhcSupport.UDP));
    refuses(Drop.TRUNCATED, () -> codec.encode(new byte[] {0x60}, A, B, 80, NhcSupport.UDP));
  }

  @Test
  void anUncompressedPacketIsAccepted() throws WireException {
    byte[] ipv6 = udp(10).encode();
    assertThat(accept(join("41", ipv6), 0).orElseThrow().ipv6()).isEqualTo(ipv6);
    ipv6[5]++;
    refuses(Drop.IP_LENGTH, () -> accept(join("41", ipv6), 0));
  }

  @Test
  void meshAddressesReplaceThoseOfTheFrame() throws WireException {
    byte[] ipv6 = udp(10).encode();
    byte[] payload = codec.encode(ipv6, A, B, 80, NhcSupport.UDP).getFirst();
    LinkAddress hop = new LinkAddress.Short(7);
    String mesh = "8500020002000200020001000100010001";
    String deep = "8f2000020002000200020001000100010001";
    for (String headers : List.of(mesh, deep, mesh + "5042")) {
      Datagram datagram = codec.accept(join(headers, payload), hop, hop, 0).orElseThrow();
      assertThat(datagram.ipv6()).isEqualTo(ipv6);
      assertThat(datagram.sender()).isEqualTo(A);
    }
    LinkAddress shortA = new LinkAddress.Short(0x0a0b);
    LinkAddress shortB = new LinkAddress.Short(0x0c0d);
    byte[] elided = codec.encode(ipv6, shortA, shortB, 80, NhcSupport.UDP).getFirst();
    assertThat(codec.accept(join("b30a0b0c0d", elided), hop, hop, 0).orElseThrow().ipv6())
        .isEqualTo(ipv6);
    assertThat(codec.accept(join("5001", payload), A, B, 0).orElseThrow().ipv6()).isEqualTo(ipv6);
    refuses(Drop.TRUNCATED, () -> codec.accept(Hex.parse("85000200"), hop, hop, 0));
  }

  @Test
  void fragmentsUnderMeshHeadersOfTwoOriginatorsDoNotMix() throws WireException {
    List<byte[]> fragments = codec.encode(udp(100).encode(), A, B, 80, NhcSupport.UDP);
    LinkAddress hop = new LinkAddress.Short(7);
    codec.accept(join("b300020001", fragments.get(0)), hop, hop, 0);
    assertThat(codec.accept(join("b300030001", fragments.get(1)), hop, hop, 0)).isEmpty();
    assertThat(codec.accept(join("b300020001", fragments.get(1)), hop, hop, 0)).isPresent();
  }

  @Test
  void inventedOriginatorsDoNotRaiseANeighboursLimit() throws WireException {
    byte[] first = codec.encode(udp(300).encode(), A, B, 80, NhcSupport.UDP).getFirst();
    assertThat(accept(first, 0)).isEmpty();
    LinkAddress hop = new LinkAddress.Short(7);
    for (int originator = 0; originator < 100; originator++) {
      codec.accept(join("b3%04x0001".formatted(originator), first), hop, hop, 0);
    }
    assertThat(codec.expire(0)).isEqualTo(Map.of(Drop.FRAGMENT_SENDER_LIMIT, 96));
  }

  @Test
  void anElidedChecksumIsFilledInAfterReassembly() throws WireException {
    byte[] ipv6 = udp(100).encode();
    List<byte[]> fragments = codec.encode(ipv6, A, B, 80, NhcSupport.UDP);
    String first = Hex.format(fragments.get(0));
    int nhc = first.indexOf("f016331633");
    String elided = first.substring(0, nhc) + "f416331633" + first.substring(nhc + 14);
    for (List<byte[]> order :
        List.of(
            List.of(Hex.parse(elided), fragments.get(1)),
            List.of(fragments.get(1), Hex.parse(elided)))) {
      assertThat(accept(order.get(0), 0)).isEmpty();
      assertThat(accept(order.get(1), 0).orElseThrow().ipv6()).isEqualTo(ipv6);
    }
  }

  private Optional<Datagram> accept(byte[] payload, long now) throws WireException {
    return codec.accept(payload, A, B, now);
  }

  private static byte[] join(String hex, byte[] rest) throws WireException {
    return Hex.parse(hex + Hex.format(rest));
  }

  private static Ipv6Packet udp(int length) {
    byte[] payload = new byte[length];
    new Random(length).nextBytes(payload);
    return Ipv6Packet.of(FROM, TO, 64, Protocol.UDP, new Udp(5683, 5683, payload).encode(FROM, TO));
  }
}
