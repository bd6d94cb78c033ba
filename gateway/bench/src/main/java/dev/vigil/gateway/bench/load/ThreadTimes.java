package dev.vigil.gateway.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Processor time of each thread of a process, in nanoseconds: {@code /proc/PID/stat} counts
 * hundredths of a second, too coarse for a few handshakes.
 *
 * @param compilers the ids of the threads of the JIT compilers
 */
public record ThreadTimes(Map<String, Long> nanos, Set<String> compilers) {
  public static ThreadTimes of(Process process) throws IOException {
    Map<String, Long> nanos = new HashMap<>();
    Set<String> compilers = new HashSet<>();
    List<Path> threads;
    try (Stream<Path> listed = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      threads = listed.toList();
    }
    for (Path thread : threads) {
      try {
        String schedstat = Files.readString(thread.resolve("schedstat"));
        nanos.put(thread.getFileName().toString(), Long.parseLong(schedstat.split(" ")[0]));
        // The kernel keeps 15 characters of "C2 CompilerThread0".
        if (Files.readString(thread.resolve("comm")).matches("C[12] CompilerThre\\R?")) {
          compilers.add(thread.getFileName().toString());
        }
      } catch (NoSuchFileException e) {
        // The thread has ended.
      }
    }
    if (nanos.isEmpty()) {
      throw new IOException("the kernel has no schedstat of threads");
    }
    return new ThreadTimes(nanos, compilers);
  }

  /** The time of threads that have ended since is not included. */
  public double microsSince(ThreadTimes before) {
    return microsSince(before, nanos.keySet());
  }

  /** The share of the JIT compilers in {@link #microsSince}, 0 to 1. */
  public double compiledSince(ThreadTimes before) {
    return microsSince(before, compilers) / microsSince(before);
  }

  private double microsSince(ThreadTimes before, Set<String> threads) {
    return threads.stream()
            .mapToLong(
                thread -> nanos.getOrDefault(thread, 0L) - before.nanos.getOrDefault(thread, 0L))
            .sum()
        / 1e3;
  }
}
