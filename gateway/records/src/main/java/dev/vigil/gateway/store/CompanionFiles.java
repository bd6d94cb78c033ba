package dev.vigil.gateway.store;

import dev.vigil.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Files beside the database that cannot be made again without harm: keys and counters. The database
 * has a list of them, so that a lost file stops the start instead of being replaced in silence.
 */
public final class CompanionFiles {
  private final Path folder;
  private final Names names;

  /** The names in the database. */
  public interface Names {
    boolean contains(String name);

    /** Adds a name, durably. */
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
   * @throws StoreException when it is missing or empty; the message names the file, the loss and
   *     the way out
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
      // The file's own reader explains what is wrong.
      return false;
    }
  }

  /** Lists the file in the database; to be called once it is whole on disk. */
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
        "%s %s: put it back from a backup, or give it up with: vigil replace %s --data-dir %s (%s)"
            .formatted(path(companion), what, companion.file(), folder, companion.loss());
    return cause == null ? new StoreException(line) : new StoreException(line, cause);
  }
}
