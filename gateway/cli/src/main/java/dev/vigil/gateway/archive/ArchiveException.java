package dev.vigil.gateway.archive;

import java.io.Serial;

/** A fault of an archive: it is malformed, or it differs from the signed data. */
final class ArchiveException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * @param line one line that describes the fault
   */
  ArchiveException(String line) {
    super(line, null, false, false);
  }

  String line() {
    return String.valueOf(getMessage());
  }
}
