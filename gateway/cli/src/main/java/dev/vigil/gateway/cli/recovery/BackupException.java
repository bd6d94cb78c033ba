package dev.vigil.gateway.cli.recovery;

import java.io.IOException;
import java.io.Serial;

/**
 * Thrown when a backup cannot be written, read or restored. The message is one sentence for the
 * operator.
 */
final class BackupException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  BackupException(String message) {
    super(message);
  }

  BackupException(String message, Throwable cause) {
    super(message, cause);
  }
}
