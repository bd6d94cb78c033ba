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
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;

/** The file of saved sessions, which can be read once. */
final class SessionFile {
  private final Path path;
  private final Path unfinished;

  /**
   * @param changed the time at which the system last changed the file's entry; a copy has another
   */
  record Content(byte[] octets, Instant changed) {}

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
   * @return the time at which the system changed the file's entry
   */
  Instant write(byte[] octets) throws IOException {
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
    return changed();
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
      return Optional.of(new Content(Files.readAllBytes(path), changed()));
    } finally {
      delete();
    }
  }

  void delete() throws IOException {
    Files.deleteIfExists(path);
    syncFolder();
  }

  private Instant changed() throws IOException {
    return ((FileTime) Files.getAttribute(path, "unix:ctime", LinkOption.NOFOLLOW_LINKS))
        .toInstant();
  }

  private void syncFolder() throws IOException {
    try (FileChannel folder = FileChannel.open(path.resolveSibling("."))) {
      folder.force(true);
    }
  }
}
