package dev.vigil.border.cost;

/**
 * A mote that works once in each period and sleeps in between.
 *
 * @param volts of the supply
 * @param workJoules energy of the work in a period
 * @param workSeconds its duration
 * @param sleepMilliamps for the rest of the period
 * @param periodSeconds from one wake-up to the next
 */
public record DutyCycle(
    double volts,
    double workJoules,
    double workSeconds,
    double sleepMilliamps,
    double periodSeconds) {
  private static final double SECONDS_PER_DAY = 86_400;

  /** A mote that draws one current while it works. */
  public static DutyCycle of(
      double volts,
      double workMilliamps,
      double workSeconds,
      double sleepMilliamps,
      double periodSeconds) {
    double joules = volts * workMilliamps * workSeconds / 1000;
    return new DutyCycle(volts, joules, workSeconds, sleepMilliamps, periodSeconds);
  }

  /** The energy of a period. */
  public double joules() {
    double sleep = Math.max(0, periodSeconds - workSeconds);
    return workJoules + volts * sleepMilliamps * sleep / 1000;
  }

  /** The lifetime of a battery, without its self-discharge. */
  public double days(double batteryJoules) {
    return batteryJoules / joules() * Math.max(periodSeconds, workSeconds) / SECONDS_PER_DAY;
  }
}
