package dev.vigil.border.sixlowpan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipsec.IpsecHeaders;
import dev.vigil.border.ipsec.ReplayWindow;
import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The examples of docs/protocol.md section 9: packets and their compressed forms, in both
 * directions.
 */
class ProtocolExamplesTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "protocol.md");
  private static final Eui64 NODE = new Eui64(0x0002000200020002L);
  private static final Eui64 ROOT = new Eui64(0x0001000100010001L);
  private static final LinkAddress FROM = LinkAddress.of(NODE);
  private static final LinkAddress TO = LinkAddress.of(ROOT);
  private static final Ipv6Address SOURCE = new Ipv6Address(0xfd00L << 48, NODE.interfaceId());
  private static final Ipv6Address DESTINATION = new Ipv6Address(0xfd00L << 48, ROOT.interfaceId());
  private static final Contexts MESH = Contexts.mesh(new Ipv6Address(0xfd00L << 48, 0));
  private static final int FRAME_PAYLOAD = 102;

  @Test
  void ahIsCompressedAsTheDocumentShows() throws Exception {
    byte[] udp =
        new Udp(5683, 5683, "hello".getBytes(StandardCharsets.US_ASCII))
            .encode(SOURCE, DESTINATION);
    byte[] icv = Hex.parse("a0a1a2a3a4a5a6a7a8a9aaab");
    Ipv6Packet packet =
        Ipv6Packet.of(SOURCE, DESTINATION, 64, Protocol.UDP, udp)
            .withExtensions(List.of(new ExtensionHeader.Authentication(0, 1, 7, icv)));
    assertAgrees("ah", packet);
  }

  @Test
  void espIsCompressedAsTheDocumentShows() throws Exception {
    byte[] esp =
        Hex.parse(
            "1100000100000005" + "0102030405060708" + "b0b1b2b3" + "c0c1c2c3c4c5c6c7c8c9cacb");
    assertAgrees("esp", Ipv6Packet.of(SOURCE, DESTINATION, 64, Protocol.ESP, esp));
  }

  @Test
  void aNumberIsElidedAsTheDocumentShows() throws Exception {
    byte[] ipv6 = Hex.parse(example("esp-elided-ipv6"));
    byte[] compressed = Hex.parse(example("esp-elided-lowpan"));
    NeighbourForms oneOctet = new NeighbourForms(NhcSupport.IPSEC, true, 1);
    assertThat(
            new LowpanCodec(MESH, 0)
                .encodeCounted(ipv6, FROM, TO, FRAME_PAYLOAD, oneOctet)
                .payloads())
        .containsExactly(compressed);
    Datagram datagram = new LowpanCodec(MESH, 0).accept(compressed, FROM, TO, 0).orElseThrow();
    assertThat(datagram.lowOctets()).isEqualTo(1);
    Ipv6Packet read = Ipv6Packet.parse(datagram.ipv6());
    long whole = new ReplayWindow(64, 0x10200).whole(0x05, datagram.lowOctets());
    assertThat(IpsecHeaders.withOutermostSequence(read, whole).encode()).isEqualTo(ipv6);
  }

  private static void assertAgrees(String name, Ipv6Packet packet)
      throws IOException, WireException {
    byte[] ipv6 = packet.encode();
    byte[] compressed =
        new LowpanCodec(MESH, 0).encode(ipv6, FROM, TO, FRAME_PAYLOAD, NhcSupport.IPSEC).getFirst();
    assertThat(example(name + "-ipv6")).isEqualTo(Hex.format(ipv6));
    assertThat(example(name + "-lowpan")).isEqualTo(Hex.format(compressed));
    byte[] written = Hex.parse(example(name + "-lowpan"));
    byte[] restored = new LowpanCodec(MESH, 0).accept(written, FROM, TO, 0).orElseThrow().ipv6();
    assertThat(Hex.format(restored)).isEqualTo(example(name + "-ipv6"));
  }

  private static String example(String name) throws IOException {
    Matcher block =
        Pattern.compile("<!-- example: " + name + " -->\\n```\\w*\\n(.*?)```\\n", Pattern.DOTALL)
            .matcher(Files.readString(DOCUMENT));
    assertThat(block.find()).as("docs/protocol.md has the example " + name).isTrue();
    return block.group(1).replaceAll("\\s", "");
  }
}
