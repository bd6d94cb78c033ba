package dev.vigil.gateway.store.sqlite.folder;

import dev.vigil.gateway.files.PrivateFiles;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reserves a data folder for one process. The operating system releases the lock when the process
 * ends, even when it is killed.
 */
public final class DataFolderLock implements AutoCloseable {
  /** The file that a process locks. */
  public static final String NAME = "vigil.lock";

  private static final int MAX_PID_DIGITS = 20;

  private static final Set<OpenOption> OPTIONS =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  private final FileChannel channel;

  private DataFolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Creates the folder if it is missing, and locks it.
   *
   * @throws StoreException when another process has the lock, or other users can write to the
   *     folder
   */
  public static DataFolderLock take(Path folder) {
    Path file = folder.resolve(NAME);
    try {
      PrivateFiles.requireFolder(folder);
      PrivateFiles.requireFile(file);
      FileChannel channel = FileChannel.open(file, OPTIONS);
      if (tryLock(channel) == null) {
        String holder = holder(channel);
        channel.close();
        throw new StoreException(
            "the data folder "
                + folder
                + " is in use by process "
                + holder
                + ": stop that process, or give another folder with --data-dir");
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
      return new DataFolderLock(channel);
    } catch (IOException e) {
      throw new StoreException(
          "cannot write to the data folder "
              + folder
              + " as user "
              + System.getProperty("user.name")
              + " ("
              + reason(folder, e)
              + "): change its owner or mode, or give another folder with --data-dir",
          e);
    }
  }

  private static String reason(Path folder, IOException e) {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      return "it is a file";
    }
    return switch (e) {
      case AccessDeniedException _ -> "access denied";
      case FileSystemException failed when failed.getReason() != null -> failed.getReason();
      default -> e.getClass().getSimpleName().replace("Exception", "");
    };
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // this process already holds it
    }
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer pid = ByteBuffer.allocate(MAX_PID_DIGITS);
    channel.read(pid, 0);
    String text = new String(pid.array(), 0, pid.position(), StandardCharsets.US_ASCII).strip();
    return text.isEmpty() ? "(unknown)" : text;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new StoreException("cannot unlock the data folder", e);
    }
  }
}
