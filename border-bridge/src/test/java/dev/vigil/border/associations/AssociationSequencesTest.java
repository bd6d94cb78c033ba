package dev.vigil.border.associations;

import static dev.vigil.border.WireAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.ipsec.AssociationFile;
import dev.vigil.border.ipsec.IpsecHeaders;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.SourceRoute;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.storage.CounterFile;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The two ends of an association, of which each restores or reads the other's numbers. */
class AssociationSequencesTest {
  private static final String MOTE = "fd00::202:2:2:2";
  private static final String ROUTER = "fd00::203:3:3:3";
  private static final String HOST = "fd00::1";
  private static final String ESP =
      " esp ctr-sha1 0x11000001 %s %s %s %s\n"
          .formatted(MOTE, HOST, "a".repeat(40), "b".repeat(40));
  private static final String AH =
      " ah ah-xcbc 0x11000002 %s %s %s\n".formatted(MOTE, HOST, "e".repeat(32));

  @TempDir Path folder;
  private SecurityAssociations mote;
  private SecurityAssociations host;
  private AssociationSequences restoring;
  private AssociationSequences sending;

  @BeforeEach
  void start() throws Exception {
    agree("");
  }

  private void agree(String outer) throws Exception {
    mote = end("mote" + outer.length(), "out", outer);
    host = end("host" + outer.length(), "in", outer);
    sending = new AssociationSequences(mote);
    restoring = new AssociationSequences(host);
  }

  private SecurityAssociations end(String name, String direction, String outer) throws Exception {
    SecurityAssociations end =
        new SecurityAssociations(new CounterFile(folder.resolve(name)), new Random(4301));
    String file = direction + ESP + (outer.isEmpty() ? "" : direction + outer);
    end.install(AssociationFile.parse(file, 100), false, true);
    return end;
  }

  private static Ipv6Address address(String text) throws WireException {
    return Ipv6Address.parse(text);
  }

  private Ipv6Packet next() throws WireException {
    byte[] message = new Udp(5683, 5683, new byte[24]).encode(address(MOTE), address(HOST));
    return mote.protect(Ipv6Packet.of(address(MOTE), address(HOST), 64, Protocol.UDP, message));
  }

  private static byte[] elided(Ipv6Packet packet) throws WireException {
    long sequence = IpsecHeaders.outermostSequence(packet).orElseThrow();
    return IpsecHeaders.withOutermostSequence(packet, sequence & 0xff).encode();
  }

  @Test
  void anElidedNumberIsRestoredByItsAssociation() throws Exception {
    for (String outer : List.of("", AH)) {
      agree(outer);
      for (int i = 0; i < 600; i++) {
        Ipv6Packet sent = next();
        assertThat(restoring.restore(elided(sent), 1)).isEqualTo(sent.encode());
        host.open(sent);
      }
    }
  }

  @Test
  void aWrongNumberIsRefusedAsAWrongIcv() throws WireException {
    host.open(next());
    Ipv6Packet far = next();
    for (int i = 0; i < 256; i++) {
      far = next();
    }
    Ipv6Packet guessed = Ipv6Packet.parse(restoring.restore(elided(far), 1));
    assertThat(IpsecHeaders.outermostSequence(guessed)).hasValue(2);
    refuses(Drop.ICV_WRONG, () -> host.open(guessed));
    host.open(far);
  }

  @Test
  void aPacketOfNoAssociationIsRefused() throws WireException {
    byte[] elsewhere = elided(next().withDestination(address(ROUTER)));
    refuses(Drop.SA_UNKNOWN, () -> restoring.restore(elsewhere, 1));
    byte[] clear = next().withPayload(Protocol.UDP, new byte[8]).encode();
    refuses(Drop.SA_UNKNOWN, () -> restoring.restore(clear, 1));
  }

  @Test
  void onlyPacketsFromThisHostToTheEndHaveANumberToElide() throws WireException {
    Ipv6Packet packet = next();
    assertThat(sending.sent(packet.encode(), address(HOST).low())).hasValue(1);
    assertThat(sending.sent(packet.encode(), address(ROUTER).low())).isEmpty();
    assertThat(restoring.sent(packet.encode(), address(HOST).low())).as("received").isEmpty();
    Ipv6Packet direct =
        packet.withExtensions(List.of(SourceRoute.through(address(HOST), List.of()).header()));
    assertThat(sending.sent(direct.encode(), address(HOST).low())).hasValue(1);
    Ipv6Packet through =
        packet
            .withExtensions(
                List.of(SourceRoute.through(address(ROUTER), List.of(address(HOST))).header()))
            .withDestination(address(ROUTER));
    assertThat(sending.sent(through.encode(), address(ROUTER).low())).isEmpty();
    byte[] clear = packet.withPayload(Protocol.UDP, new byte[8]).encode();
    assertThat(sending.sent(clear, address(HOST).low())).isEmpty();
  }
}
