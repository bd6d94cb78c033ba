package dev.vigil.border.capture;

/** Which way a captured packet went, as the epb_flags option says it. */
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
