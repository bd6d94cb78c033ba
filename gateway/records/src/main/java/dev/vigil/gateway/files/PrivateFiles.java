package dev.vigil.gateway.files;

import dev.vigil.store.StoreException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.Set;

/**
 * Files and folders that only the user of the process may read and write, regardless of the umask.
 * Another user with write access to the data folder could replace its keys, state and libraries.
 */
public final class PrivateFiles {
  private static final Set<PosixFilePermission> FILE_MODE =
      PosixFilePermissions.fromString("rw-------");

  /** The mode of a new file. */
  public static final FileAttribute<Set<PosixFilePermission>> NEW_FILE =
      PosixFilePermissions.asFileAttribute(FILE_MODE);

  private static final FileAttribute<Set<PosixFilePermission>> NEW_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** A file that belongs to the user who runs the process. */
  private static final Path PROCESS = Path.of("/proc/self");

  private PrivateFiles() {}

  /**
   * Creates a folder and its parents if it is missing.
   *
   * @throws StoreException when others can write to the folder, or it belongs to another user
   * @throws IOException when the folder cannot be created or examined
   */
  public static void requireFolder(Path folder) throws IOException {
    Files.createDirectories(folder, NEW_FOLDER);
    UserPrincipal owner = Files.getOwner(folder);
    UserPrincipal user = user();
    if (!owner.equals(user)) {
      throw new StoreException(
          "the folder %1$s belongs to %2$s, but %3$s runs the gateway: run it as %2$s, or run: chown -R %3$s %1$s, or give another folder with --data-dir"
              .formatted(folder, owner.getName(), user.getName()));
    }
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(folder);
    if (mode.contains(PosixFilePermission.GROUP_WRITE)
        || mode.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new StoreException(
          "other users can write to the folder %1$s: run: chmod 700 %1$s, or give another folder with --data-dir"
              .formatted(folder));
    }
  }

  /**
   * Creates an empty file if it is missing, and revokes other users' rights to an existing file.
   *
   * @throws StoreException when the file is a symbolic link, or belongs to another user
   * @throws IOException when the file cannot be created
   */
  public static void requireFile(Path file) throws IOException {
    requireNoLink(file);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      Files.createFile(file, NEW_FILE);
    } else if (!Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS).equals(FILE_MODE)) {
      restrict(file);
    }
  }

  /**
   * @throws StoreException when the file is a symbolic link
   */
  public static void requireNoLink(Path file) {
    if (Files.isSymbolicLink(file)) {
      throw new StoreException(
          "%1$s is a symbolic link, which the gateway does not follow: remove it, or replace it with the file itself"
              .formatted(file));
    }
  }

  private static void restrict(Path file) throws IOException {
    try {
      Files.setPosixFilePermissions(file, FILE_MODE);
    } catch (FileSystemException e) {
      UserPrincipal owner = Files.getOwner(file, LinkOption.NOFOLLOW_LINKS);
      if (owner.equals(user())) {
        throw e;
      }
      throw new StoreException(
          "%1$s belongs to %2$s: run: chown %3$s %1$s"
              .formatted(file, owner.getName(), user().getName()),
          e);
    }
  }

  private static UserPrincipal user() throws IOException {
    try {
      return PROCESS
          .getFileSystem()
          .getUserPrincipalLookupService()
          .lookupPrincipalByName(System.getProperty("user.name"));
    } catch (UserPrincipalNotFoundException e) {
      // A container may run under a user id that has no name.
      return Files.getOwner(PROCESS);
    }
  }
}
