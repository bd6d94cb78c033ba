package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.files.PrivateFiles;
import dev.vigil.gateway.store.sqlite.folder.DataFolderLock;
import dev.vigil.gateway.store.sqlite.folder.NativeLibraries;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A replica's files while it is not open: how far it has come, and setting it aside. */
public final class ReplicaFiles {
  /** The name of a replica that was set aside, before its number. */
  private static final String LOST = SqliteFiles.DATABASE + ".lost-";

  /** The suffix of a replica that was set aside and still has values that exist nowhere else. */
  public static final String KEPT = ".kept";

  /** The suffixes of all replicas that were set aside, as a regular expression. */
  private static final String OR_KEPT = "(%s)?".formatted(Pattern.quote(KEPT));

  /** Says that the replica must be set aside. */
  private static final String SUSPECT = SqliteFiles.DATABASE + ".suspect";

  /**
   * The maximum number of replicas that are set aside; a greater number means that repairs do not
   * finish.
   */
  private static final int MAX_LOST = 8;

  /**
   * Statements that empty the tables that the log or the feed fills. Other tables belong to the
   * folder.
   */
  private static final List<String> EMPTY =
      List.of(
          "DELETE FROM aggregate",
          "DELETE FROM series",
          "UPDATE aggregated SET position = 0",
          "DELETE FROM older_facts",
          "DELETE FROM older_slot",
          "DELETE FROM fact",
          "DELETE FROM log_head",
          "DELETE FROM endpoint");

  /** The suffixes of the files that SQLite keeps beside a database. */
  private static final List<String> BESIDE = List.of("-wal", "-shm");

  private ReplicaFiles() {}

  /**
   * The newest change of a replica.
   *
   * @param log the id of its log
   * @param position 0 while it is empty
   * @param hash of the change's batch; empty while the replica is empty
   */
  public record Head(String log, long position, byte[] hash) {}

  /** How far the replica in a folder has come; null if there is none. */
  public static @Nullable Head head(Path folder) {
    Path file = folder.resolve(SqliteFiles.DATABASE);
    if (!SqliteFiles.hasContent(file)) {
      return null;
    }
    NativeLibraries.unpackBelow(folder);
    SqliteDatabase database = new SqliteDatabase(file);
    try (Connection connection = database.openForReading()) {
      return ReplicaTables.newest(connection);
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  /** Notes that the log does not continue the replica, so that the next start sets it aside. */
  public static void suspect(Path folder, String reason) {
    Path file = folder.resolve(SUSPECT);
    try {
      PrivateFiles.requireFile(file);
      Files.writeString(file, reason + "\n");
    } catch (IOException e) {
      throw new StoreException("cannot write %s: %s".formatted(file, e.getMessage()), e);
    }
  }

  /** Why the replica must be set aside; null if nothing is known against it. */
  public static @Nullable String suspicion(Path folder) {
    try {
      return Files.readString(folder.resolve(SUSPECT)).strip();
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Copies a replica aside, then empties it, so that another log or the same one fills it again.
   *
   * @param log the id of the log that fills it
   * @param gaps the position up to which that log may lack messages
   * @throws StoreException when another process uses the folder, or the disk is full
   */
  public static void setAside(Path folder, String log, long gaps) {
    try (DataFolderLock _ = DataFolderLock.take(folder)) {
      NativeLibraries.unpackBelow(folder);
      SqliteDatabase database = new SqliteDatabase(folder.resolve(SqliteFiles.DATABASE));
      Path copy = folder.resolve(LOST + next(folder));
      Path unfinished = copy.resolveSibling(copy.getFileName() + ".tmp");
      Files.deleteIfExists(unfinished);
      database.copyTo(unfinished);
      Files.move(unfinished, copy);
      empty(database, log, gaps);
      Files.deleteIfExists(folder.resolve(SUSPECT));
    } catch (IOException e) {
      throw notSetAside(folder, e);
    }
  }

  /** Whether a failure means that a database is damaged, so that trying again does not help. */
  public static boolean isDamage(StoreException failure) {
    return SqliteDatabase.isDamage(failure);
  }

  /** The damage in a few words. */
  public static String damage(StoreException failure) {
    Throwable cause = failure.getCause();
    return SqliteDatabase.firstLine(cause == null ? null : cause.getMessage());
  }

  /**
   * Moves a damaged replica aside, so that the folder has none.
   *
   * @throws StoreException when another process uses the folder
   */
  public static void moveAside(Path folder) {
    Path file = folder.resolve(SqliteFiles.DATABASE);
    try (DataFolderLock _ = DataFolderLock.take(folder)) {
      Path lost = folder.resolve(LOST + next(folder));
      for (String suffix : BESIDE) {
        Path beside = file.resolveSibling(file.getFileName() + suffix);
        if (Files.exists(beside, LinkOption.NOFOLLOW_LINKS)) {
          Files.move(beside, lost.resolveSibling(lost.getFileName() + suffix));
        }
      }
      Files.move(file, lost);
      Files.deleteIfExists(folder.resolve(SUSPECT));
    } catch (IOException e) {
      throw notSetAside(folder, e);
    }
  }

  private static StoreException notSetAside(Path folder, IOException e) {
    return new StoreException(
        "cannot set the replica in %s aside: %s".formatted(folder, e.getMessage()), e);
  }

  /** One more than the highest number of a replica that was set aside, kept ones included. */
  private static int next(Path folder) {
    if (setAside(folder).size() >= MAX_LOST) {
      throw new StoreException(
          "%d replicas were set aside in %s without a finished repair: report this, and keep the folder"
              .formatted(MAX_LOST, folder));
    }
    return 1 + setAside(folder, OR_KEPT).stream().mapToInt(ReplicaFiles::number).max().orElse(0);
  }

  private static void empty(SqliteDatabase database, String log, long gaps) {
    try (Connection connection = database.openForWriting();
        Statement statement = connection.createStatement();
        PreparedStatement mark =
            connection.prepareStatement("UPDATE replica SET log = ?, gaps = ?")) {
      statement.execute("BEGIN IMMEDIATE");
      for (String sql : EMPTY) {
        statement.execute(sql);
      }
      mark.setString(1, log);
      mark.setLong(2, gaps);
      mark.executeUpdate();
      statement.execute("COMMIT");
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }

  /** The replicas that were set aside, oldest first. */
  public static List<Path> setAside(Path folder) {
    return setAside(folder, "");
  }

  private static List<Path> setAside(Path folder, String suffix) {
    Pattern name = Pattern.compile(Pattern.quote(LOST) + "[0-9]+" + suffix);
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> name.matcher(file.getFileName().toString()).matches())
          .sorted(Comparator.comparingInt(ReplicaFiles::number))
          .toList();
    } catch (IOException e) {
      throw new StoreException("cannot read the folder %s".formatted(folder), e);
    }
  }

  private static int number(Path file) {
    String name = file.getFileName().toString().substring(LOST.length());
    return Integer.parseInt(name.replace(KEPT, ""));
  }

  /** Deletes a replica that was set aside, or keeps it under a name that is not read again. */
  public static void finish(Path lost, boolean keep) {
    try {
      for (String suffix : BESIDE) {
        Files.deleteIfExists(lost.resolveSibling(lost.getFileName() + suffix));
      }
      if (keep) {
        Files.move(lost, lost.resolveSibling(lost.getFileName() + KEPT));
      } else {
        Files.delete(lost);
      }
    } catch (IOException e) {
      throw new StoreException("cannot remove %s".formatted(lost), e);
    }
  }
}
