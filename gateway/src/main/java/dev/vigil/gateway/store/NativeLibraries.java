package dev.vigil.gateway.store;

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
 * Has libraries unpack their native parts below the data folder. {@code /tmp} may be mounted
 * without the right to execute, and would fill up with copies.
 */
final class NativeLibraries {
  private static final Logger log = LoggerFactory.getLogger(NativeLibraries.class);

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private NativeLibraries() {}

  /** Affects only libraries that are not loaded yet. */
  static void unpackBelow(Path dataFolder) {
    Path folder = dataFolder.resolve("native");
    try {
      // May create the data folder too, so the mode is its owner's alone.
      Files.createDirectories(folder, OWNER_ONLY);
    } catch (IOException e) {
      // Opening the store fails next, with an error message for the operator.
      log.debug("cannot make {}", folder, e);
      return;
    }
    System.setProperty("org.sqlite.tmpdir", folder.toString());
    System.setProperty("com.amazon.corretto.crypto.provider.tmpdir", folder.toString());
  }
}
