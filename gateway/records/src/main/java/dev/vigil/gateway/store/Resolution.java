package dev.vigil.gateway.store;

/** The lengths of time over which numbers are aggregated. */
public enum Resolution {
  MINUTE(60),
  HOUR(3600),
  DAY(86_400);

  private final long seconds;

  Resolution(long seconds) {
    this.seconds = seconds;
  }

  public long seconds() {
    return seconds;
  }

  /**
   * The start of the aggregate that contains a time.
   *
   * @param at unix time in seconds
   */
  public long start(long at) {
    return Math.floorDiv(at, seconds) * seconds;
  }
}
