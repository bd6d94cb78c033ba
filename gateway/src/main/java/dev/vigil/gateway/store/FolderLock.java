package dev.vigil.gateway.store;

import dev.vigil.directory.state.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a data folder to one process. The operating system lets go of the lock when the process
 * ends, however it ends.
 */
final class FolderLock implements AutoCloseable {
  private static final String NAME = "vigil.lock";
  private static final int LONGEST_PID = 20;

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Makes the folder where there is none, and takes it. */
  static FolderLock take(Path folder) {
    Path file = folder.resolve(NAME);
    try {
      // What it holds is its owner's; a folder that is there already is as the operator wants it.
      Files.createDirectories(folder, OWNER_ONLY);
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (tryLock(channel) == null) {
        String holder = holder(channel);
        channel.close();
        throw new StoreException(
            "the data folder "
                + folder
                + " is in use by process "
                + holder
                + ": stop that one, or give another folder with --data-dir");
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
      return new FolderLock(channel);
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
      case FileSystemException told when told.getReason() != null -> told.getReason();
      default -> e.getClass().getSimpleName().replace("Exception", "");
    };
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by this very process
    }
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer pid = ByteBuffer.allocate(LONGEST_PID);
    channel.read(pid, 0);
    String text = new String(pid.array(), 0, pid.position(), StandardCharsets.US_ASCII).strip();
    return text.isEmpty() ? "(unknown)" : text;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new StoreException("cannot let go of the data folder", e);
    }
  }
}
