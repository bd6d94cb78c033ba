package dev.vigil.border.capture;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes captured frames and packets to a file, if one is configured, and to live readers.
 *
 * <p>The file gets each block in one unbuffered write, so a killed process leaves a readable file.
 * A live reader that is too slow loses packets (counted) and never slows the bridge.
 */
public final class Captures implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Captures.class);
  private static final int MAX_LIVE = 16;

  private static final Set<StandardOpenOption> OVERWRITE =
      Set.of(
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE);

  /** The capture holds decrypted packets that link security protects on the air. */
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Clock clock;
  private final LongSupplier nanoTime;
  private final CopyOnWriteArrayList<LiveCapture> live = new CopyOnWriteArrayList<>();
  private final AtomicLong lost = new AtomicLong();
  private volatile @Nullable OutputStream file;
  private volatile boolean closed;

  /**
   * Opens the capture file, which is overwritten.
   *
   * @param path null for live captures only
   * @param clock for the packets' timestamps
   * @param nanoTime for the duration of live captures, as {@link System#nanoTime}
   */
  public Captures(@Nullable Path path, Clock clock, LongSupplier nanoTime) throws IOException {
    this.clock = clock;
    this.nanoTime = nanoTime;
    if (path != null) {
      OutputStream out =
          Channels.newOutputStream(Files.newByteChannel(path, OVERWRITE, OWNER_ONLY));
      out.write(Pcapng.header());
      file = out;
    }
  }

  /** Captures one packet. The call is cheap without a file and live readers. */
  public void packet(LinkType type, Direction direction, byte[] octets) {
    OutputStream out = file;
    if (out == null && live.isEmpty()) {
      return;
    }
    byte[] block = Pcapng.packet(type, direction, clock.instant(), octets);
    if (out != null) {
      writeToFile(out, block);
    }
    for (LiveCapture reader : live) {
      if (!reader.offer(type, block)) {
        lost.incrementAndGet();
      }
    }
  }

  private void writeToFile(OutputStream out, byte[] block) {
    try {
      out.write(block);
    } catch (IOException e) {
      // A full disk must not stop the bridge; the file ends here.
      LOG.warn("cannot write the capture file; the capture to this file ends: {}", e.toString());
      file = null;
      closeQuietly(out);
    }
  }

  /**
   * Writes a live capture until the reader disconnects, the captures end or the time is over.
   * Blocks the calling thread.
   *
   * @param out receives a complete pcapng stream, flushed whenever no packet waits; the last blocks
   *     count the packets, and the packets that were lost because this reader was too slow
   * @param seconds the longest duration
   * @throws IOException when the reader has disconnected
   * @throws IllegalStateException if there are too many readers, or the captures have ended
   */
  public void stream(OutputStream out, long seconds) throws IOException, InterruptedException {
    LiveCapture reader = new LiveCapture(clock, nanoTime);
    synchronized (live) {
      if (closed || live.size() >= MAX_LIVE) {
        throw new IllegalStateException("too many live captures, or the captures have ended");
      }
      live.add(reader);
    }
    try {
      reader.writeTo(out, seconds);
    } finally {
      live.remove(reader);
    }
  }

  /** The number of live readers. */
  public int readers() {
    return live.size();
  }

  /** The number of packets lost by slow readers. */
  public long lost() {
    return lost.get();
  }

  /** Ends the live captures and refuses new ones. The capture to the file continues. */
  public void endLive() {
    synchronized (live) {
      closed = true;
      live.forEach(LiveCapture::end);
    }
  }

  @Override
  public void close() {
    endLive();
    OutputStream out = file;
    file = null;
    if (out != null) {
      closeQuietly(out);
    }
  }

  private static void closeQuietly(OutputStream out) {
    try {
      out.close();
    } catch (IOException e) {
      LOG.debug("closing the capture file: {}", e.toString());
    }
  }
}
