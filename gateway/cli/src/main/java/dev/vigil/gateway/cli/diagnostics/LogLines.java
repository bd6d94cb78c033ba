package dev.vigil.gateway.cli.diagnostics;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/** The last lines of a log. */
final class LogLines {
  static final int MAX = 5000;
  private static final int MAX_LENGTH = 10_000;
  private static final long TIMEOUT_SECONDS = 20;

  private LogLines() {}

  static String of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return of(in);
    }
  }

  static String of(InputStream in) throws IOException {
    ArrayDeque<String> last = new ArrayDeque<>();
    BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      last.addLast(line.length() > MAX_LENGTH ? line.substring(0, MAX_LENGTH) : line);
      if (last.size() > MAX) {
        last.removeFirst();
      }
    }
    return last.isEmpty() ? "" : String.join("\n", last) + "\n";
  }

  /** The log of the systemd service; empty without such a service. */
  static String ofService() {
    try {
      Process journal =
          new ProcessBuilder(
                  "journalctl", "--unit=vigil", "--lines=" + MAX, "--no-pager", "--quiet")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (InputStream in = journal.getInputStream()) {
        String lines = of(in);
        return journal.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && journal.exitValue() == 0
            ? lines
            : "";
      } finally {
        journal.destroy();
      }
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
