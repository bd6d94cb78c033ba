package dev.vigil.gateway.store;

import dev.vigil.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Files beside the database that cannot be recreated without harm: keys and counters. The database
 * lists them, so a lost file prevents startup instead of being replaced silently.
 */
public final class CompanionFiles {
  private final Path folder;
  private final Names names;

  /** The names of companions in the database. */
  public interface Names {
    boolean contains(String name);

    /** Adds a name durably. */
    void add(String name);
  }

  /**
   * @param folder the data folder
   */
  public CompanionFiles(Path folder, Names names) {
    this.folder = folder;
    this.names = names;
  }

  /** The path of a companion. */
  public Path path(Companion companion) {
    return folder.resolve(companion.file());
  }

  /**
   * Requires the file if the database needs it.
   *
   * @throws StoreException when the file is missing or empty; the message names the file, the loss
   *     and the remedy
   */
  public void require(Companion companion) {
    Path file = path(companion);
    if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
      if (names.contains(companion.file())) {
        throw unusable(companion, "is missing", null);
      }
    } else if (isEmpty(file)) {
      throw unusable(companion, "is empty", null);
    }
  }

  private static boolean isEmpty(Path file) {
    try {
      return Files.size(file) == 0;
    } catch (IOException e) {
      // The code that reads the file reports the error.
      return false;
    }
  }

  /** Lists the file in the database; must be called after the file is completely on disk. */
  public void made(Companion companion) {
    if (!names.contains(companion.file())) {
      names.add(companion.file());
    }
  }

  /**
   * @param what the fault, for instance "is damaged"
   */
  public StoreException unusable(Companion companion, String what, @Nullable Throwable cause) {
    String line =
        "%s %s: restore it from a backup, or replace it with a new one: vigil replace %s --data-dir %s (%s)"
            .formatted(path(companion), what, companion.file(), folder, companion.loss());
    return cause == null ? new StoreException(line) : new StoreException(line, cause);
  }
}
