package dev.vigil.gateway.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Requires that only the owner of a file with secrets can read or write it. */
public final class OwnerOnlyFile {
  private static final Set<PosixFilePermission> NOT_ALLOWED =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private OwnerOnlyFile() {}

  /**
   * @throws IOException begins with "cannot" when others can read or write the file; a {@link
   *     java.nio.file.FileSystemException} when it does not exist
   */
  public static void require(Path file) throws IOException {
    if (Files.getPosixFilePermissions(file).stream().anyMatch(NOT_ALLOWED::contains)) {
      throw new IOException(
          "cannot use " + file + ": others can read the file; run: chmod 600 " + file);
    }
  }
}
