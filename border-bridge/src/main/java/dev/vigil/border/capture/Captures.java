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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where captured packets go: to a file, if one was asked for, and to live listeners.
 *
 * <p>A file gets each block in one unbuffered write, so a killed process leaves a readable file. A
 * listener that reads too slowly loses packets (counted), never slows the bridge.
 */
public final class Captures implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Captures.class);
  private static final int MAX_LIVE = 16;

  private static final Set<StandardOpenOption> ANEW =
      Set.of(
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE);

  /** What link security hides on the air stands there in the clear. */
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Clock clock;
  private final CopyOnWriteArrayList<LiveCapture> live = new CopyOnWriteArrayList<>();
  private final AtomicLong lost = new AtomicLong();
  private volatile @Nullable OutputStream file;
  private volatile boolean closed;

  /**
   * Opens the capture file, which is overwritten.
   *
   * @param path null for live captures only
   */
  public Captures(@Nullable Path path, Clock clock) throws IOException {
    this.clock = clock;
    if (path != null) {
      OutputStream out = Channels.newOutputStream(Files.newByteChannel(path, ANEW, OWNER_ONLY));
      out.write(Pcapng.header());
      file = out;
    }
  }

  /** Takes one packet. Cheap when nobody listens. */
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
      LOG.warn("capture file given up: {}", e.toString());
      file = null;
      closeQuietly(out);
    }
  }

  /**
   * Writes a live capture until the reader goes away, the captures end or the time is over. Blocks
   * its caller, who brings the thread.
   *
   * @param out gets a complete pcapng stream, flushed whenever nothing waits; the last blocks say
   *     how many packets there were and how many this reader was too slow for
   * @param seconds how long at most
   * @throws IOException when the reader went away
   * @throws IllegalStateException if too many listen already, or the captures have ended
   */
  public void stream(OutputStream out, long seconds) throws IOException, InterruptedException {
    LiveCapture reader = new LiveCapture(clock);
    synchronized (live) {
      if (closed || live.size() >= MAX_LIVE) {
        throw new IllegalStateException("no more live captures");
      }
      live.add(reader);
    }
    try {
      reader.writeTo(out, seconds);
    } finally {
      live.remove(reader);
    }
  }

  /** How many listen now. */
  public int listeners() {
    return live.size();
  }

  /** Packets that slow listeners did not get. */
  public long lost() {
    return lost.get();
  }

  /** Ends the live captures, and takes no more; the file goes on. */
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
