package dev.vigil.border.ipsec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.Vectors;
import dev.vigil.border.ipsec.AssociationFile.Entry;
import dev.vigil.border.wire.WireException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AssociationFileTest {
  private static final String MOTE = "fd00::202:2:2:2";
  private static final String HOST = "fd00::1";

  static List<Vectors.AssociationText> shared() {
    return Vectors.associationFiles();
  }

  @ParameterizedTest
  @MethodSource("shared")
  void agreesWithTheSharedFiles(Vectors.AssociationText shared) throws WireException {
    String[] expected = shared.expected().split(" ", 2);
    if (expected[0].equals("accepts")) {
      assertThat(AssociationFile.parse(shared.text(), 16).entries())
          .hasSize(Integer.parseInt(expected[1]));
    } else {
      assertThatThrownBy(() -> AssociationFile.parse(shared.text(), 16)).hasMessage(expected[1]);
    }
  }

  @Test
  void readsEndsKeysAndLine() throws WireException {
    String keys = "00".repeat(15) + "01" + "a0a1a2a3 " + "00".repeat(15) + "02";
    String text = "# ours\n\nin esp ctr-xcbc 0x11000002 " + HOST + " " + MOTE + " " + keys;
    Entry entry = AssociationFile.parse(text, 16).entries().getFirst();
    assertThat(entry.line()).isEqualTo(3);
    assertThat(entry.inbound()).isTrue();
    assertThat(entry.peer()).hasToString(HOST);
    assertThat(entry.own()).hasToString(MOTE);
    assertThat(entry.association().spi()).isEqualTo(0x11000002);
    Association.EspProtection esp = (Association.EspProtection) entry.association().protection();
    assertThat(esp.key()).hasSize(20).endsWith(1, 0xa0, 0xa1, 0xa2, 0xa3);
    assertThat(esp.integrityKey()).hasSize(16).endsWith(2);
    assertThat(entry.toString()).doesNotContain("a0a1a2a3", "[B@");
  }

  @Test
  void refusesMoreAssociationsThanItsReaderHolds() {
    String text =
        IntStream.rangeClosed(1, 17)
            .mapToObj(
                "in ah ah-xcbc 0x%1$x fd00::%1$x fd00::ffff 000000000000000000000000000000%1$02x"
                    ::formatted)
            .collect(Collectors.joining("\n"));
    assertThatThrownBy(() -> AssociationFile.parse(text, AssociationFile.MOTE_ENTRIES))
        .hasMessage("line 17: more than 16 associations");
  }

  @Test
  void warnsWithTheLineAndTheWayOut() throws WireException {
    String key = "0b".repeat(16) + " " + "0c".repeat(20);
    AssociationFile file =
        AssociationFile.parse("\nout esp cbc-sha1 0x1 " + MOTE + " " + HOST + " " + key, 16);
    assertThat(file.warnings())
        .containsExactly(
            "line 2: unmodified Contiki-NG forwarders may drop SPI 0x00000001: use an SPI that"
                + " begins with 0x11",
            "line 2: an unmodified host can use SPI 1 with only one mote: use another SPI",
            "line 2: SHA-1 is only for hosts without newer algorithms: use a profile with xcbc or ccm8",
            "line 2: nothing protects the receiving direction with fd00::1: add an association for"
                + " it");
  }
}
