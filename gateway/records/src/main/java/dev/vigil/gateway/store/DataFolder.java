package dev.vigil.gateway.store;

import java.nio.file.Path;

/**
 * The folder in which the gateway keeps its files. The folder exists and no other process uses it,
 * because this bean is created after the store has locked the folder.
 *
 * @param path absolute
 */
public record DataFolder(Path path) {
  /** The file of saved DTLS sessions, which must not be read twice and is in no backup. */
  public static final String SESSIONS = "coaps.sessions";

  /** The path of a file in the folder. */
  public Path resolve(String name) {
    return path.resolve(name);
  }
}
