package dev.vigil.gateway.archive;

import java.io.Serial;

/** A fault of an archive: its form is malformed, or it differs from what was signed. */
final class ArchiveException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * @param line one line that names the fault
   */
  ArchiveException(String line) {
    super(line, null, false, false);
  }

  String line() {
    return String.valueOf(getMessage());
  }
}
