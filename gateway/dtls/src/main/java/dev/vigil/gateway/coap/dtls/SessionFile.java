package dev.vigil.gateway.coap.dtls;

import dev.vigil.gateway.files.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;

/** The file of saved sessions, which can be read once. */
final class SessionFile {
  private final Path path;
  private final Path unfinished;

  /**
   * @param entry the number of the file's entry and the time at which the system last changed it; a
   *     copy on the same disk has another number, a later one another time
   */
  record Content(byte[] octets, String entry) {}

  /**
   * @param path in the data folder
   */
  SessionFile(Path path) {
    this.path = path;
    // A backup leaves out names with this ending.
    this.unfinished = path.resolveSibling(path.getFileName() + ".new");
  }

  /**
   * Writes the file durably.
   *
   * @return the file's entry, as in {@link Content}
   */
  String write(byte[] octets) throws IOException {
    Files.deleteIfExists(unfinished);
    try (FileChannel out =
        FileChannel.open(
            unfinished,
            EnumSet.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            PrivateFiles.NEW_FILE)) {
      ByteBuffer left = ByteBuffer.wrap(octets);
      while (left.hasRemaining()) {
        out.write(left);
      }
      out.force(true);
    }
    Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
    syncFolder();
    return entry();
  }

  /**
   * Reads the file and deletes it durably, whatever it holds.
   *
   * @param max octets; a longer file is only deleted
   */
  Optional<Content> take(long max) throws IOException {
    if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) || Files.size(path) > max) {
        throw new IOException(path + " is not a file of this gateway");
      }
      return Optional.of(new Content(Files.readAllBytes(path), entry()));
    } finally {
      delete();
    }
  }

  void delete() throws IOException {
    Files.deleteIfExists(path);
    syncFolder();
  }

  private String entry() throws IOException {
    Map<String, Object> entry =
        Files.readAttributes(path, "unix:ino,ctime", LinkOption.NOFOLLOW_LINKS);
    return entry.get("ino") + " of " + entry.get("ctime");
  }

  private void syncFolder() throws IOException {
    try (FileChannel folder = FileChannel.open(path.resolveSibling("."))) {
      folder.force(true);
    }
  }
}
