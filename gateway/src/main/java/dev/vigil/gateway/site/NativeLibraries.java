package dev.vigil.gateway.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where libraries put their native parts: below the data folder, since {@code /tmp} may be mounted
 * without the right to run anything, and fills up with copies.
 */
final class NativeLibraries {
  private static final Logger log = LoggerFactory.getLogger(NativeLibraries.class);

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private NativeLibraries() {}

  /** Takes effect for libraries that are not loaded yet. */
  static void unpackBelow(Path dataFolder) {
    Path folder = dataFolder.resolve("native");
    try {
      // It is the first to make the data folder, where there is none: its owner's alone.
      Files.createDirectories(folder, OWNER_ONLY);
    } catch (IOException e) {
      // Opening the store is about to say so in better words.
      log.debug("cannot make {}", folder, e);
      return;
    }
    System.setProperty("org.sqlite.tmpdir", folder.toString());
    System.setProperty("com.amazon.corretto.crypto.provider.tmpdir", folder.toString());
  }
}
