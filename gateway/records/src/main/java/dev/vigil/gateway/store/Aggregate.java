package dev.vigil.gateway.store;

/**
 * The numbers that were measured within one minute, hour or day.
 *
 * @param count at least 1
 * @param last the number that was measured last
 * @param lastAt when it was measured, unix time in seconds
 */
public record Aggregate(
    long count, double sum, double min, double max, double last, double lastAt) {

  /** The aggregate of one number. */
  public static Aggregate of(double number, double at) {
    return new Aggregate(1, number, number, number, number, at);
  }

  public Aggregate plus(Aggregate other) {
    boolean later = other.lastAt >= lastAt;
    return new Aggregate(
        count + other.count,
        sum + other.sum,
        Math.min(min, other.min),
        Math.max(max, other.max),
        later ? other.last : last,
        later ? other.lastAt : lastAt);
  }
}
