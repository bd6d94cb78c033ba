package dev.vigil.store;

/**
 * One statement about an endpoint, in a named slot. A new fact supersedes the oldest one that its
 * slot keeps.
 *
 * @param slot name of the slot, for instance {@code value/temp}
 * @param keep number of facts that the slot keeps from now on, at least 1; {@link #KEEP_ALL} for an
 *     audit trail
 * @param keepsOlder whether superseded facts stay in the slot's history, until {@link OlderFacts}
 *     removes them or a fact of the slot no longer keeps them. They leave the feed. Only facts of
 *     batches with a sequence number stay. The slot then supersedes some facts at a time, and at
 *     least three quarters of {@code keep} stay in the feed
 * @param body the slot's owner writes and reads it; an empty body clears the slot
 */
public record Fact(String slot, int keep, boolean keepsOlder, byte[] body) {
  public static final int KEEP_ALL = Integer.MAX_VALUE;

  public Fact {
    if (slot.isEmpty() || keep < 1) {
      throw new IllegalArgumentException("a fact needs a slot and keeps at least itself");
    }
    if (keepsOlder && (keep == KEEP_ALL || body.length == 0)) {
      throw new IllegalArgumentException("a fact that keeps all or clears its slot has no older");
    }
  }

  /** A fact whose slot keeps nothing else. */
  public Fact(String slot, int keep, byte[] body) {
    this(slot, keep, false, body);
  }

  /** A fact that clears a slot. */
  public static Fact none(String slot) {
    return new Fact(slot, 1, new byte[0]);
  }

  public boolean isNone() {
    return body.length == 0;
  }
}
