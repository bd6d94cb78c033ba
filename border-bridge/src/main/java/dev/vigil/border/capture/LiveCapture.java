package dev.vigil.border.capture;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * The queue of one live reader. The pipeline thread offers blocks; the reader's own thread writes
 * them. Blocks beyond the queue's capacity are lost. Interface statistics blocks report their
 * number when the reader has caught up, after ten idle seconds, and at the end.
 */
final class LiveCapture {
  private static final int CAPACITY = 4_096;
  private static final long IDLE_SECONDS = 10;
  private static final byte[] END = new byte[0];

  private final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(CAPACITY);
  private final AtomicLongArray received = new AtomicLongArray(LinkType.values().length);
  private final AtomicLongArray lost = new AtomicLongArray(LinkType.values().length);
  private final Clock clock;
  private final LongSupplier nanoTime;
  private volatile boolean ended;

  LiveCapture(Clock clock, LongSupplier nanoTime) {
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /** Queues a packet block; false if the queue is full. */
  boolean offer(LinkType type, byte[] block) {
    received.incrementAndGet(type.ordinal());
    boolean taken = queue.offer(block);
    if (!taken) {
      lost.incrementAndGet(type.ordinal());
    }
    return taken;
  }

  /** Ends the capture; blocks in the queue are still written. */
  void end() {
    ended = true;
    // Wakes the writer; with a full queue the writer is awake.
    queue.offer(END);
  }

  /**
   * Writes until {@link #end}, or for a number of seconds.
   *
   * @throws IOException when the reader has disconnected, which is noticed within ten seconds
   */
  void writeTo(OutputStream out, long seconds) throws IOException, InterruptedException {
    out.write(Pcapng.header());
    out.flush();
    long end = nanoTime.getAsLong() + TimeUnit.SECONDS.toNanos(seconds);
    long reportedLost = 0;
    for (long left = end - nanoTime.getAsLong(); left > 0; left = end - nanoTime.getAsLong()) {
      byte[] block = queue.peek();
      if (block == null) {
        if (ended) {
          break;
        }
        if (reportedLost != totalLost()) {
          reportedLost = totalLost();
          writeStatistics(out);
        }
        out.flush();
        long idle = Math.min(left, TimeUnit.SECONDS.toNanos(IDLE_SECONDS));
        block = queue.poll(idle, TimeUnit.NANOSECONDS);
        if (block == null && left > idle) {
          // This write also fails if the reader has disconnected.
          writeStatistics(out);
        }
      } else {
        queue.remove();
      }
      if (block != null) {
        out.write(block);
      }
    }
    writeStatistics(out);
    out.flush();
  }

  private long totalLost() {
    long sum = 0;
    for (int i = 0; i < lost.length(); i++) {
      sum += lost.get(i);
    }
    return sum;
  }

  private void writeStatistics(OutputStream out) throws IOException {
    for (LinkType type : LinkType.values()) {
      int i = type.ordinal();
      out.write(Pcapng.statistics(type, clock.instant(), received.get(i), lost.get(i)));
    }
    out.flush();
  }
}
