package dev.vigil.border.storage;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;

/** Thrown when a file of counters is damaged, because a counter could go back. */
public final class DamagedCountersException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  private final int line;

  DamagedCountersException(Path file, int line) {
    super("%s is damaged in line %d".formatted(file, line));
    this.line = line;
  }

  /** The first unreadable line, counted from 1. */
  public int line() {
    return line;
  }
}
