package dev.vigil.gateway.cli.recovery;

import dev.vigil.store.StoreException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** One line for the operator about a failed command. */
final class ErrorLine {
  private ErrorLine() {}

  static String of(Exception thrown) {
    return switch (thrown) {
      case BackupException e -> String.valueOf(e.getMessage());
      case StoreException e -> String.valueOf(e.getMessage());
      case NoSuchFileException e -> "there is no file " + e.getFile();
      case AccessDeniedException e -> "user %s may not use %s".formatted(user(), e.getFile());
      case FileSystemException e when e.getReason() != null -> e.getFile() + ": " + e.getReason();
      default ->
          thrown.getMessage() == null ? thrown.getClass().getSimpleName() : thrown.getMessage();
    };
  }

  private static String user() {
    return System.getProperty("user.name");
  }
}
