package dev.vigil.border.capture;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
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
  private static final int LIVE_QUEUE = 4_096;
  private static final int MAX_LIVE = 16;
  private static final byte[] END = new byte[0];

  private final Clock clock;
  private final CopyOnWriteArrayList<BlockingQueue<byte[]>> live = new CopyOnWriteArrayList<>();
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
      OutputStream out = Files.newOutputStream(path);
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
    for (BlockingQueue<byte[]> queue : live) {
      if (!queue.offer(block)) {
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
   * Writes a live capture until the reader goes away, the bridge closes or the time is over. Blocks
   * its caller, who brings the thread.
   *
   * @param out gets a complete pcapng stream, flushed after each packet
   * @param seconds how long at most
   * @throws IOException when the reader went away
   * @throws IllegalStateException if too many listen already
   */
  public void stream(OutputStream out, long seconds) throws IOException, InterruptedException {
    BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(LIVE_QUEUE);
    synchronized (live) {
      if (closed || live.size() >= MAX_LIVE) {
        throw new IllegalStateException("no more live captures");
      }
      live.add(queue);
    }
    try {
      out.write(Pcapng.header());
      out.flush();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      byte[] block = queue.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      while (block != null && block != END) {
        out.write(block);
        out.flush();
        block = queue.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    } finally {
      live.remove(queue);
    }
  }

  /** Packets that slow listeners did not get. */
  public long lost() {
    return lost.get();
  }

  @Override
  public void close() {
    synchronized (live) {
      closed = true;
      for (BlockingQueue<byte[]> queue : live) {
        queue.clear();
        queue.add(END);
      }
    }
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
