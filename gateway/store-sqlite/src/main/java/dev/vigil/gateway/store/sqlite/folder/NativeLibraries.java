package dev.vigil.gateway.store.sqlite.folder;

import dev.vigil.gateway.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes libraries unpack their native parts below the data folder. {@code /tmp} may be mounted with
 * {@code noexec} and would fill up with copies.
 */
public final class NativeLibraries {
  private static final Logger log = LoggerFactory.getLogger(NativeLibraries.class);

  /** The folder of unpacked libraries in the data folder. */
  public static final String NAME = "native";

  private NativeLibraries() {}

  /**
   * Affects only libraries that have not been loaded.
   *
   * @throws dev.vigil.store.StoreException when others could replace the libraries
   */
  public static void unpackBelow(Path dataFolder) {
    Path folder = dataFolder.resolve(NAME);
    try {
      PrivateFiles.requireFolder(dataFolder);
      PrivateFiles.requireNoLink(folder);
      PrivateFiles.requireFolder(folder);
    } catch (IOException e) {
      // Opening the store will fail next, with an error message for the operator.
      log.debug("cannot make {}", folder, e);
      return;
    }
    System.setProperty("org.sqlite.tmpdir", folder.toString());
    System.setProperty("com.amazon.corretto.crypto.provider.tmpdir", folder.toString());
    System.setProperty("dev.vigil.signed.tmpdir", folder.toString());
  }
}
