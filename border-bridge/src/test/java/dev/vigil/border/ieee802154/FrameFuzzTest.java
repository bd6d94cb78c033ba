package dev.vigil.border.ieee802154;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.vigil.border.Vectors;
import dev.vigil.border.wire.WireException;
import java.util.List;
import org.junit.jupiter.params.provider.MethodSource;

/** Any octets: a frame that gives them back, or a named refusal. */
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
