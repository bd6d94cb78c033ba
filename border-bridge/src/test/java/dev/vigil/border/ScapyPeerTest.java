package dev.vigil.border;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node that shares no line of code with us: ZEP, 802.15.4, 6LoWPAN and IPv6 as scapy has them.
 */
class ScapyPeerTest {
  @TempDir Path folder;

  /** VIGIL_PYTHON, the system's, or the first on the path: whichever has scapy. */
  private static Optional<String> python() {
    return Stream.of(System.getenv("VIGIL_PYTHON"), "/usr/bin/python3", "python3")
        .filter(ScapyPeerTest::hasScapy)
        .findFirst();
  }

  private static boolean hasScapy(@Nullable String python) {
    try {
      return python != null
          && new ProcessBuilder(python, "-c", "import scapy.layers.sixlowpan")
                  .redirectErrorStream(true)
                  .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                  .start()
                  .waitFor()
              == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aNodeMadeByScapyIsAcknowledgedAndGetsItsPingAnswered() throws Exception {
    Optional<String> python = python();
    Assumptions.assumeTrue(python.isPresent(), "no python3 with scapy (Debian: python3-scapy)");
    FileMemory memory = new FileMemory(folder.resolve("memory"));
    BridgeConfig config = BridgeConfig.virtual(0);
    try (Bridge bridge =
        new Bridge(config, memory, Clock.systemUTC(), System::nanoTime, new Random(1))) {
      bridge.start();
      String port = Integer.toString(bridge.etherPort().orElseThrow());
      Path script = Path.of("src/test/resources/ping_over_zep.py");
      Process process =
          new ProcessBuilder(
                  python.orElseThrow(), script.toString(), port, config.eui64().toString())
              .redirectErrorStream(true)
              .start();
      List<String> lines = process.inputReader().lines().toList();
      assertThat(process.waitFor()).as(String.join("\n", lines)).isZero();
      assertThat(lines.getLast())
          .isEqualTo(
              "acknowledged=True compressed=True from=fe80::56:4947:494c:1 data=scapy was here");
    }
  }
}
