package dev.vigil.border.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.util.List;
import org.junit.jupiter.params.provider.MethodSource;

/** Any file is read, or refused with a named reason. */
class CaptureFileReaderFuzzTest {
  @MethodSource("beginnings")
  @FuzzTest(maxDuration = "30s")
  void aCaptureFileIsReadOrRefused(byte[] octets) {
    try {
      if (CaptureFileReader.is(octets)) {
        assertThat(CaptureFileReader.read(octets)).isNotNull();
      }
    } catch (WireException e) {
      assertThat(e.reason()).isNotNull();
    }
  }

  static List<byte[]> beginnings() throws WireException {
    return List.of(
        Hex.parse("a1b2c3d4000200040000000000000000000000000000ffff000000c3"),
        Hex.parse("d4c3b2a1020004000000000000000000ffff0000e6000000"),
        Hex.parse("0a0d0d0a0000001c1a2b3c4d00010000ffffffffffffffff0000001c"));
  }
}
