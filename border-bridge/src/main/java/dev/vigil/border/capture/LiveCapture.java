package dev.vigil.border.capture;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * One reader of a live capture. The pipeline offers, the reader's own thread writes. What the queue
 * has no room for is lost, and said in interface statistics blocks: once the reader has caught up,
 * when nothing happened for a while, and at the end.
 */
final class LiveCapture {
  private static final int QUEUE = 4_096;
  private static final long IDLE_SECONDS = 10;
  private static final byte[] END = new byte[0];

  private final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(QUEUE);
  private final AtomicLongArray received = new AtomicLongArray(LinkType.values().length);
  private final AtomicLongArray lost = new AtomicLongArray(LinkType.values().length);
  private final Clock clock;
  private volatile boolean over;

  LiveCapture(Clock clock) {
    this.clock = clock;
  }

  /** A packet; false if the reader is too slow for it. */
  boolean offer(LinkType type, byte[] block) {
    received.incrementAndGet(type.ordinal());
    boolean taken = queue.offer(block);
    if (!taken) {
      lost.incrementAndGet(type.ordinal());
    }
    return taken;
  }

  /** Nothing more comes; what waits is still written. */
  void end() {
    over = true;
    // A full queue needs no waking.
    queue.offer(END);
  }

  /**
   * Writes until the end, or for so long.
   *
   * @throws IOException when the reader is gone, which shows within ten seconds
   */
  void writeTo(OutputStream out, long seconds) throws IOException, InterruptedException {
    out.write(Pcapng.header());
    out.flush();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long told = 0;
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      byte[] block = queue.peek();
      if (block == null) {
        if (over) {
          break;
        }
        if (told != lostInAll()) {
          told = lostInAll();
          statistics(out);
        }
        out.flush();
        long patience = Math.min(left, TimeUnit.SECONDS.toNanos(IDLE_SECONDS));
        block = queue.poll(patience, TimeUnit.NANOSECONDS);
        if (block == null && left > patience) {
          // Also finds out whether anybody still reads.
          statistics(out);
        }
      } else {
        queue.remove();
      }
      if (block != null) {
        out.write(block);
      }
    }
    statistics(out);
    out.flush();
  }

  private long lostInAll() {
    long sum = 0;
    for (int i = 0; i < lost.length(); i++) {
      sum += lost.get(i);
    }
    return sum;
  }

  private void statistics(OutputStream out) throws IOException {
    for (LinkType type : LinkType.values()) {
      int i = type.ordinal();
      out.write(Pcapng.statistics(type, clock.instant(), received.get(i), lost.get(i)));
    }
    out.flush();
  }
}
