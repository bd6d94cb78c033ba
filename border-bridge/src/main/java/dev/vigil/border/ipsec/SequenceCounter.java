package dev.vigil.border.ipsec;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * The counter of an outbound association: its sequence number and, with CTR and CCM, its IV. A
 * number is used only after a number at least as high has been stored, so that a crash skips
 * numbers and never repeats one. With manual keys a repeated IV would reveal plaintext, so nothing
 * is sent without a stored record.
 */
public final class SequenceCounter {
  private static final long LAST = 0xffff_ffffL;

  private final boolean known;
  private final int step;
  private final LongConsumer store;
  private long used;
  private long reserved;

  /**
   * @param stored the record: the highest number that may have been used; 0 for a new key; empty if
   *     the record is missing
   * @param step the count of numbers that one write reserves
   * @param store makes a number durable before it returns
   */
  public SequenceCounter(OptionalLong stored, int step, LongConsumer store) {
    this.known = stored.isPresent();
    this.used = stored.orElse(LAST);
    this.reserved = used;
    this.step = step;
    this.store = store;
  }

  /**
   * @return 1 to 2^32-1, never repeated
   * @throws WireException {@link Drop#SEQUENCE_RECORD_MISSING}, {@link Drop#SEQUENCE_EXHAUSTED}
   */
  public long take() throws WireException {
    if (!known) {
      throw new WireException(Drop.SEQUENCE_RECORD_MISSING);
    }
    if (used >= LAST) {
      throw new WireException(Drop.SEQUENCE_EXHAUSTED);
    }
    if (used >= reserved) {
      long upTo = Math.min(used + step, LAST);
      store.accept(upTo);
      reserved = upTo;
    }
    return ++used;
  }
}
