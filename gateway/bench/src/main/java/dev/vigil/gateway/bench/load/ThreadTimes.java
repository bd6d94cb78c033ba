package dev.vigil.gateway.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Processor time of each thread of a process, in nanoseconds: {@code /proc/PID/stat} counts
 * hundredths of a second, too coarse for a few handshakes.
 */
public record ThreadTimes(Map<String, Long> nanos) {
  public static ThreadTimes of(Process process) throws IOException {
    Map<String, Long> nanos = new HashMap<>();
    List<Path> threads;
    try (Stream<Path> listed = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      threads = listed.toList();
    }
    for (Path thread : threads) {
      try {
        String schedstat = Files.readString(thread.resolve("schedstat"));
        nanos.put(thread.getFileName().toString(), Long.parseLong(schedstat.split(" ")[0]));
      } catch (NoSuchFileException e) {
        // The thread has ended.
      }
    }
    if (nanos.isEmpty()) {
      throw new IOException("the kernel has no schedstat of threads");
    }
    return new ThreadTimes(nanos);
  }

  /** The time of threads that have ended since is not included. */
  public double microsSince(ThreadTimes before) {
    return nanos.entrySet().stream()
            .mapToLong(thread -> thread.getValue() - before.nanos.getOrDefault(thread.getKey(), 0L))
            .sum()
        / 1e3;
  }
}
