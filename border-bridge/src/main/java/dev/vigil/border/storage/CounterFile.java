package dev.vigil.border.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Counters in one file. The file is an append-only log of batches, which is rewritten when it has
 * grown to many times its content. A batch consists of lines {@code name=number} and a final line
 * {@code .}. A torn batch at the end (the machine stopped while writing) is ignored. After a failed
 * write the file is rewritten before the next append, because a batch after a torn batch would be
 * read as part of it.
 */
public final class CounterFile implements DurableCounters, AutoCloseable {
  private static final long REWRITE_OCTETS = 1 << 20;

  /** A file of many counters is rewritten when it has grown to this multiple of its content. */
  private static final long REWRITE_GROWTH = 4;

  /** Fails if the path already exists, even as a symbolic link. */
  private static final Set<OpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path file;
  private final Map<String, Long> numbers = new TreeMap<>();
  private FileChannel channel;
  private long rewriteAbove;

  /** The file is too long, or its end cannot be trusted. */
  private boolean rewriteDue;

  /**
   * Opens the file, or creates it.
   *
   * @throws DamagedCountersException if numbers may be missing
   */
  public CounterFile(Path file) throws IOException {
    this.file = file;
    if (Files.exists(file)) {
      read();
    }
    this.channel = rewrite();
  }

  private void read() throws IOException {
    Map<String, Long> batch = new TreeMap<>();
    String[] lines = Files.readString(file, StandardCharsets.ISO_8859_1).split("\n", -1);
    int unreadable = 0;
    boolean whole = false;
    for (int i = 0; i < lines.length; i++) {
      String line = lines[i];
      int equals = line.indexOf('=');
      if (line.equals(".") && unreadable > 0) {
        throw new DamagedCountersException(file, unreadable);
      } else if (line.equals(".")) {
        numbers.putAll(batch);
        batch.clear();
        whole = true;
      } else if (isNumber(line.substring(equals + 1)) && equals > 0) {
        batch.put(line.substring(0, equals), Long.parseLong(line.substring(equals + 1)));
      } else if (unreadable == 0) {
        // This is a torn line, unless the end of its batch follows.
        unreadable = i + 1;
      }
    }
    if (!whole) {
      // A file replaces its predecessor only when it contains a whole batch.
      throw new DamagedCountersException(file, 1);
    }
  }

  private static boolean isNumber(String text) {
    return text.matches("-?[0-9]{1,18}");
  }

  private FileChannel rewrite() throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    try (FileChannel out = FileChannel.open(fresh, NEW, OWNER_ONLY)) {
      write(out, numbers);
      rewriteAbove = Math.max(REWRITE_OCTETS, REWRITE_GROWTH * out.size());
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncFolder();
    return FileChannel.open(
        file, StandardOpenOption.WRITE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
  }

  private void syncFolder() throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
        directory.force(true);
      }
    }
  }

  private static void write(FileChannel out, Map<String, Long> batch) throws IOException {
    String text =
        batch.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
            .collect(Collectors.joining("", "", ".\n"));
    ByteBuffer octets = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (octets.hasRemaining()) {
      out.write(octets);
    }
    out.force(false);
  }

  @Override
  public OptionalLong load(String name) {
    Long number = numbers.get(name);
    return number == null ? OptionalLong.empty() : OptionalLong.of(number);
  }

  @Override
  public Map<String, Long> loadAll(String prefix) {
    return numbers.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix))
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @Override
  public void save(Map<String, Long> batch) throws IOException {
    if (rewriteDue) {
      channel.close();
      channel = rewrite();
    }
    rewriteDue = true;
    write(channel, batch);
    numbers.putAll(batch);
    rewriteDue = channel.size() > rewriteAbove;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
