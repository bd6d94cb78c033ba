package dev.vigil.border.ipsec;

import static dev.vigil.border.WireAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UdpInEspTest {
  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  @ParameterizedTest
  @CsvSource({
    "f0b1f0bf0009abcd55, f31fabcd55",
    "1633f00a0009abcd55, f116330aabcd55",
    "f00a16330009abcd55, f20a1633abcd55",
    "163316340008abcd, f016331634abcd",
  })
  void portsHaveTheFormsOfRfc6282(String message, String compressed) throws WireException {
    assertThat(UdpInEsp.compress(hex(message))).isEqualTo(hex(compressed));
    assertThat(UdpInEsp.expand(hex(compressed))).isEqualTo(hex(message));
  }

  @ParameterizedTest
  @CsvSource({
    "f701abcd, NHC_UNKNOWN", // the checksum is elided
    "163316340009d56700, NHC_UNKNOWN",
    "fb01abcd, NHC_UNKNOWN",
    "f31fab, TRUNCATED",
    "f01633, TRUNCATED",
  })
  void otherContentIsRefused(String content, Drop reason) {
    refuses(reason, () -> UdpInEsp.expand(hex(content)));
  }

  @Test
  void theExampleOfTheDocumentHolds() throws IOException, WireException {
    assertThat(UdpInEsp.compress(example("esp-udp-plain"))).isEqualTo(example("esp-udp"));
  }

  private static byte[] example(String name) throws IOException {
    String document = Files.readString(Path.of("..", "docs", "protocol.md"));
    return hex(document.split("<!-- example: " + name + " -->\n```\n")[1].split("\n")[0]);
  }

  @Test
  void aLengthThatDiffersFromThePacketsIsRefused() {
    refuses(Drop.UDP_LENGTH, () -> UdpInEsp.compress(hex("16331634000aabcd55")));
  }
}
