package dev.vigil.gateway.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Checks that only the owner can read or write a file with secrets. */
public final class OwnerOnlyFile {
  private static final Set<PosixFilePermission> NOT_ALLOWED =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private OwnerOnlyFile() {}

  /**
   * @throws IOException with a message that begins with "cannot" when others can read or write the
   *     file; a {@link java.nio.file.FileSystemException} when it does not exist
   */
  public static void require(Path file) throws IOException {
    if (Files.getPosixFilePermissions(file).stream().anyMatch(NOT_ALLOWED::contains)) {
      throw new IOException(
          "cannot use " + file + ": others can read the file; run: chmod 600 " + file);
    }
  }
}
