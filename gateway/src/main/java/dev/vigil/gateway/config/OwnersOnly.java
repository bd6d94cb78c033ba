package dev.vigil.gateway.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Files with secrets are for their owner's eyes. */
final class OwnersOnly {
  private static final Set<PosixFilePermission> OF_OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private OwnersOnly() {}

  /**
   * @throws IOException begins with "cannot" when others can read or write it; a {@link
   *     java.nio.file.FileSystemException} when it is not there
   */
  static void require(Path file) throws IOException {
    if (Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains)) {
      throw new IOException(
          "cannot take keys from " + file + ", which others can read; run: chmod 600 " + file);
    }
  }
}
