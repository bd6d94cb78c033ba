package dev.vigil.border.ieee802154;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.vigil.border.Vectors;
import dev.vigil.border.wire.WireException;
import java.util.List;
import org.junit.jupiter.params.provider.MethodSource;

/** Any octets are a frame that encodes to the same octets, or are refused with a named reason. */
class FrameFuzzTest {
  @MethodSource("recordedFrames")
  @FuzzTest(maxDuration = "30s")
  void aFrameGivesItsOctetsBackOrIsRefused(byte[] octets) {
    try {
      assertThat(Frame.parse(octets).encode()).isEqualTo(octets);
    } catch (WireException e) {
      assertThat(e.reason()).isNotNull();
    }
  }

  static List<byte[]> recordedFrames() {
    return Vectors.sample().stream().map(Vectors.RecordedFrame::psdu).toList();
  }
}
