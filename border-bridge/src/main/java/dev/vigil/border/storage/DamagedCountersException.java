package dev.vigil.border.storage;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;

/** A file of counters is damaged, so that a counter could go back. */
public final class DamagedCountersException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  private final int line;

  DamagedCountersException(Path file, int line) {
    super("%s is damaged in line %d".formatted(file, line));
    this.line = line;
  }

  /** The first line that cannot be read, counted from 1. */
  public int line() {
    return line;
  }
}
