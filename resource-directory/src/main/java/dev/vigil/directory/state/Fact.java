package dev.vigil.directory.state;

/**
 * One thing known about an endpoint, in a named slot. A new fact supersedes the oldest one that its
 * slot keeps.
 *
 * @param slot for instance {@code rd}, {@code ms}, {@code key} or {@code value/temp}
 * @param keep how many facts of this slot stay, at least 1; {@link #KEEP_ALL} for an audit trail
 * @param body what the slot's owner wrote; empty says that the slot is empty from now on
 */
public record Fact(String slot, int keep, byte[] body) {
  public static final int KEEP_ALL = Integer.MAX_VALUE;

  public Fact {
    if (slot.isEmpty() || keep < 1) {
      throw new IllegalArgumentException("a fact needs a slot and keeps at least itself");
    }
  }

  public static Fact none(String slot) {
    return new Fact(slot, 1, new byte[0]);
  }

  public boolean isNone() {
    return body.length == 0;
  }
}
