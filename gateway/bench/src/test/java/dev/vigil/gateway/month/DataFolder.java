package dev.vigil.gateway.month;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** Copies and removes data folders of the gateway. */
final class DataFolder {
  private DataFolder() {}

  /** Copies what a crash would leave: no shared memory of the database. */
  static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.getFileName().toString().endsWith("-shm")) {
          Files.copy(
              file, to.resolve(file.getFileName().toString()), StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }

  static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
