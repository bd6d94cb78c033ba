package dev.vigil.border.sixlowpan;

import static dev.vigil.border.WireAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Vectors;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipsec.IpsecHeaders;
import dev.vigil.border.ipsec.ReplayWindow;
import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sequence numbers without their upper octets; the mote's tests read the same vectors. */
class ElidedSequenceTest {
  private static final LinkAddress A = LinkAddress.of(new Eui64(0x0002000200020002L));
  private static final LinkAddress B = LinkAddress.of(new Eui64(0x0003000300030003L));
  private static final Ipv6Address FROM = Ipv6Address.linkLocal(A.interfaceId());
  private static final Ipv6Address TO = Ipv6Address.linkLocal(B.interfaceId());

  static Stream<List<String>> forms() {
    return Vectors.elidedNumbers("form").stream();
  }

  static Stream<List<String>> numbers() {
    return Vectors.elidedNumbers("number").stream();
  }

  private static NeighbourForms forms(int lowOctets) {
    return new NeighbourForms(NhcSupport.IPSEC, true, lowOctets);
  }

  private static byte[] encode(byte[] ipv6, int lowOctets, int room) throws WireException {
    LowpanCodec codec = new LowpanCodec(Contexts.NONE, 0);
    return codec.encodeCounted(ipv6, A, B, room, forms(lowOctets)).payloads().getFirst();
  }

  private static Datagram decode(byte[] payload) throws WireException {
    return new LowpanCodec(Contexts.NONE, 0).accept(payload, A, B, 0).orElseThrow();
  }

  private static byte[] packet(byte[] upper, int protocol) {
    WireWriter out = new WireWriter().u32(6L << 28).u16(upper.length).u8(protocol).u8(64);
    FROM.write(out);
    TO.write(out);
    return out.bytes(upper).toBytes();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void everyFormIsWrittenAndRead(List<String> fields) throws WireException {
    int low = Integer.parseInt(fields.get(1));
    String form = fields.get(2);
    boolean ah = form.startsWith("eb");
    byte[] upper = Hex.parse(fields.getFirst());
    byte[] ipv6 = packet(upper, ah ? Protocol.AH : Protocol.ESP);
    byte[] payload = encode(ipv6, low, 102);
    assertThat(Hex.format(payload).substring(4)).startsWith(form);
    Datagram datagram = decode(payload);
    assertThat(datagram.lowOctets()).isEqualTo(low);
    int sequenceAt = Ipv6Packet.HEADER + (ah ? 8 : 4);
    for (int i = 0; low > 0 && i < 4 - low; i++) {
      ipv6[sequenceAt + i] = 0;
    }
    assertThat(datagram.ipv6()).isEqualTo(ipv6);
    if (!ah) {
      refuses(Drop.NHC_UNKNOWN, () -> decode(withCompressedNext(payload)));
    }
  }

  private static byte[] withCompressedNext(byte[] payload) {
    byte[] other = payload.clone();
    other[3] |= 1;
    return other;
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void theWindowSaysWhichNumberIsMeant(List<String> fields) throws WireException {
    List<Long> values = fields.subList(0, 4).stream().map(Long::valueOf).toList();
    ReplayWindow window = new ReplayWindow(values.get(0).intValue(), values.get(1));
    int octets = values.get(2).intValue();
    int low = values.get(3).intValue();
    if (fields.get(4).equals("none")) {
      refuses(Drop.SEQUENCE_REPLAYED, () -> window.whole(low, octets));
    } else {
      assertThat(window.whole(low, octets)).isEqualTo(Long.parseLong(fields.get(4)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void onlyTheOutermostNumberIsElided(int low) throws WireException {
    Ipv6Packet both =
        Ipv6Packet.of(FROM, TO, 64, Protocol.ESP, Hex.parse("0000000100012345aabbccdd"))
            .withExtensions(
                List.of(new ExtensionHeader.Authentication(0, 1, 0x20007, new byte[12])));
    Datagram datagram = decode(encode(both.encode(), low, 102));
    assertThat(datagram.lowOctets()).isEqualTo(low);
    Ipv6Packet read = Ipv6Packet.parse(datagram.ipv6());
    assertThat(IpsecHeaders.outermostSequence(read)).hasValue(low == 0 ? 0x20007 : 7);
    assertThat(IpsecHeaders.withOutermostSequence(read, 0x20007)).isEqualTo(both);
  }

  @Test
  void theFirstFragmentSaysThatANumberIsElided() throws WireException {
    byte[] ipv6 = packet(Hex.parse("1100000100012345" + "ab".repeat(300)), Protocol.ESP);
    LowpanCodec sender = new LowpanCodec(Contexts.NONE, 0);
    LowpanCodec receiver = new LowpanCodec(Contexts.NONE, 0);
    List<byte[]> fragments = sender.encodeCounted(ipv6, A, B, 80, forms(1)).payloads();
    assertThat(fragments.size()).isGreaterThan(3);
    for (byte[] fragment : fragments.subList(1, fragments.size())) {
      assertThat(receiver.accept(fragment, A, B, 0)).isEmpty();
    }
    Datagram datagram = receiver.accept(fragments.getFirst(), A, B, 0).orElseThrow();
    assertThat(datagram.lowOctets()).isEqualTo(1);
    Ipv6Packet read = Ipv6Packet.parse(datagram.ipv6());
    assertThat(IpsecHeaders.withOutermostSequence(read, 0x12345).encode()).isEqualTo(ipv6);
  }
}
