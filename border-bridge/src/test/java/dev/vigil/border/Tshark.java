package dev.vigil.border;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Debian's tshark, an independent reader of our captures. */
public final class Tshark {
  private Tshark() {}

  /** One line per packet, with fields separated by tabs. The mesh prefix is 6LoWPAN context 0. */
  public static List<String> fields(Path file, String... fields) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "tshark",
                "-r",
                file.toString(),
                "-o",
                "6lowpan.context0:fd00::/64",
                "-T",
                "fields"));
    for (String field : fields) {
      command.add("-e");
      command.add(field);
    }
    Process process = new ProcessBuilder(command).start();
    List<String> lines = process.inputReader().lines().toList();
    assertThat(process.waitFor()).isZero();
    return lines;
  }
}
