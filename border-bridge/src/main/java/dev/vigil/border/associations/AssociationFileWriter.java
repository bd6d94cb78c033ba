package dev.vigil.border.associations;

import dev.vigil.border.ipsec.AssociationFile;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/** Adds lines to a file of associations, all or none. */
public final class AssociationFileWriter {
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private AssociationFileWriter() {}

  /**
   * Adds lines at the end of a file. Creates the file if it is missing.
   *
   * @param most the number of associations that the file's reader can hold
   * @param write false: only checks that the lines could be added
   * @throws IOException with one sentence if the lines conflict with the others or cannot be
   *     written; the file is unchanged then
   */
  public static void append(Path file, List<String> lines, int most, boolean write)
      throws IOException {
    String before = "";
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      AssociationFileReader.read(file, most);
      before = Files.readString(file, StandardCharsets.ISO_8859_1);
    }
    String end = before.isEmpty() || before.endsWith("\n") ? "" : "\n";
    String text = before + end + String.join("\n", lines) + "\n";
    try {
      AssociationFile.parse(text, most);
    } catch (WireException e) {
      throw new IOException(file + ": " + e.getMessage());
    }
    if (write) {
      replace(file, text);
    }
  }

  private static void replace(Path file, String text) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Path fresh = Files.createTempFile(folder, ".associations-", "", OWNER_ONLY);
    try {
      Files.writeString(fresh, text, StandardCharsets.ISO_8859_1);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      Files.deleteIfExists(fresh);
      throw new IOException(file + " cannot be written: " + e.getMessage(), e);
    }
  }
}
