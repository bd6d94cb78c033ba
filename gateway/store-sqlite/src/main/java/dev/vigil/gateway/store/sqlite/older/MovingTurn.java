package dev.vigil.gateway.store.sqlite.older;

/**
 * The turns in which slots move rows to their older facts. All slots move some rows in the same
 * turn, because the rows that endpoints write one after the other then leave the same pages of the
 * file. Only one thread uses it.
 */
public final class MovingTurn {
  /** A turn begins after this number of updates for each slot with older facts. */
  private static final int UPDATES = 18;

  private long slots;
  private long began;

  /** Begins a turn at a position of the feed. */
  public void begin(long position) {
    began = position;
  }

  /** Begins the next turn if it is due at this position. */
  public void reach(long position) {
    if (position - began > UPDATES * slots) {
      began = position;
    }
  }

  /** The first position of the present turn. */
  public long began() {
    return began;
  }

  /** Counts a slot that begins or ends to keep older facts. */
  public void count(boolean keptOlder, boolean keepsOlder) {
    if (keptOlder != keepsOlder) {
      slots += keepsOlder ? 1 : -1;
    }
  }
}
