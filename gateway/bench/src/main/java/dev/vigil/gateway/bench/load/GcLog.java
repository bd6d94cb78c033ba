package dev.vigil.gateway.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The log of the garbage collector of a server; a restarted server begins it again. */
public record GcLog(Path file) {
  private static final Pattern PAUSE = Pattern.compile("(?m)Pause .* ([0-9.]+)ms$");

  /** The JVM's option. */
  public String option() {
    return "-Xlog:gc:file=" + file + ":tags:filecount=0";
  }

  /** Milliseconds of each pause until now, in their order. */
  public List<Double> pauses() throws IOException {
    return pauses(Files.readString(file));
  }

  static List<Double> pauses(String log) {
    return PAUSE
        .matcher(log)
        .results()
        .map((MatchResult pause) -> Double.parseDouble(pause.group(1)))
        .toList();
  }
}
