package dev.vigil.border.associations;

import dev.vigil.border.ipsec.AssociationFile;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Reads a file of associations, which only its owner may open. */
public final class AssociationFileReader {
  /** The number of associations that a gateway can hold. */
  public static final int GATEWAY_ENTRIES = 4_096;

  private static final int MAX_OCTETS = 1 << 20;
  private static final Set<PosixFilePermission> OWNER =
      Set.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private AssociationFileReader() {}

  /**
   * Reads and checks a file.
   *
   * @param most the number of associations that its reader can hold
   * @throws IOException with one sentence that names the file, the line and the remedy, and never a
   *     key
   */
  public static AssociationFile read(Path file, int most) throws IOException {
    String text = text(file);
    try {
      return AssociationFile.parse(text, most);
    } catch (WireException e) {
      throw new IOException(file + ": " + e.getMessage());
    }
  }

  private static String text(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(file + ": there is no such file");
    }
    if (!OWNER.containsAll(Files.getPosixFilePermissions(file))) {
      throw new IOException(
          file + " holds keys, but other users may open it; run: chmod 600 " + file);
    }
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      byte[] octets = in.readNBytes(MAX_OCTETS + 1);
      if (octets.length > MAX_OCTETS) {
        throw new IOException(file + ": give a file of at most " + MAX_OCTETS + " octets");
      }
      return new String(octets, StandardCharsets.ISO_8859_1);
    } catch (java.nio.file.FileSystemException e) {
      throw new IOException(file + " cannot be read; check who owns the file", e);
    }
  }
}
