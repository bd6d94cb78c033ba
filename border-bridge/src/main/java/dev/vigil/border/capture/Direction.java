package dev.vigil.border.capture;

/** The direction of a captured packet, as in the epb_flags option. */
public enum Direction {
  /** From the air to the bridge. */
  IN(1),
  /** From the bridge to the air. */
  OUT(2);

  private final int flag;

  Direction(int flag) {
    this.flag = flag;
  }

  int flag() {
    return flag;
  }
}
