package dev.vigil.gateway.files;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a secret from a file that only its owner may read. */
public final class SecretFile {
  private SecretFile() {}

  /**
   * @param property the setting that names the file
   * @param kind of secret for messages, such as password or token
   * @throws IOException with a message that begins with "cannot" and names the file
   */
  public static String read(String property, String kind, String file) throws IOException {
    Path path = Path.of(file);
    try {
      OwnerOnlyFile.require(path);
      return Files.readString(path).strip();
    } catch (FileSystemException e) {
      throw new IOException(
          "cannot read the %s in %s, which vigil.%s names: does the file exist, and may user %s read it?"
              .formatted(kind, path, property, System.getProperty("user.name")),
          e);
    }
  }
}
