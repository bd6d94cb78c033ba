package dev.vigil.border.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.vigil.border.wire.Octets;
import dev.vigil.border.wire.WireException;
import java.util.List;
import org.junit.jupiter.params.provider.MethodSource;

/** Any file: read, or refused by name. */
class CaptureFileFuzzTest {
  @MethodSource("beginnings")
  @FuzzTest(maxDuration = "30s")
  void aCaptureFileIsReadOrRefused(byte[] octets) {
    try {
      if (CaptureFile.is(octets)) {
        assertThat(CaptureFile.read(octets)).isNotNull();
      }
    } catch (WireException e) {
      assertThat(e.reason()).isNotNull();
    }
  }

  static List<byte[]> beginnings() throws WireException {
    return List.of(
        Octets.parseHex("a1b2c3d4000200040000000000000000000000000000ffff000000c3"),
        Octets.parseHex("d4c3b2a1020004000000000000000000ffff0000e6000000"),
        Octets.parseHex("0a0d0d0a0000001c1a2b3c4d00010000ffffffffffffffff0000001c"));
  }
}
