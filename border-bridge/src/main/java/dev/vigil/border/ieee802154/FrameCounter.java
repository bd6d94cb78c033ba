package dev.vigil.border.ieee802154;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.function.LongConsumer;

/**
 * The frame counter of sent frames. A number is used only after a higher one has been stored, so
 * that a crash skips numbers and never repeats one.
 */
public final class FrameCounter {
  private final int step;
  private final LongConsumer store;
  private long next;
  private long reserved;

  /**
   * @param stored the last stored number, 0 for a new key
   * @param step the count of numbers that one write reserves
   * @param store makes the first unreserved number durable before it returns
   */
  public FrameCounter(long stored, int step, LongConsumer store) {
    this.next = stored;
    this.reserved = stored;
    this.step = step;
    this.store = store;
  }

  /**
   * The next number, which is never repeated.
   *
   * @throws WireException {@link Drop#FRAME_COUNTER_EXHAUSTED} when the key must be changed
   */
  public long take() throws WireException {
    if (next >= SecurityHeader.LAST_COUNTER) {
      throw new WireException(Drop.FRAME_COUNTER_EXHAUSTED);
    }
    if (next >= reserved) {
      long upTo = Math.min(next + step, SecurityHeader.LAST_COUNTER);
      store.accept(upTo);
      reserved = upTo;
    }
    return next++;
  }
}
