package dev.vigil.border.cost;

/**
 * The voltage and the currents of a mote.
 *
 * @param volts of the supply
 * @param txMilliamps while the radio sends
 * @param rxMilliamps while the radio receives
 * @param cpuMilliamps while the processor works
 * @param sleepMilliamps while nothing works
 */
public record Board(
    double volts,
    double txMilliamps,
    double rxMilliamps,
    double cpuMilliamps,
    double sleepMilliamps) {
  /** The Tmote Sky at its highest transmit power (Alharby, table IV; standby: its data sheet). */
  public static final Board TMOTE_SKY = new Board(3, 17.4, 19.7, 2.4, 0.0051);

  private static final double LOWEST_TX_MILLIAMPS = 8.5;

  /** The Tmote Sky's radio at its lowest transmit power. */
  public Board atLowestTransmitPower() {
    return new Board(volts, LOWEST_TX_MILLIAMPS, rxMilliamps, cpuMilliamps, sleepMilliamps);
  }

  /**
   * The work of one mote.
   *
   * @param txMillis time of sending
   * @param rxMillis time of receiving
   * @param cpuMillis time of computing
   */
  public record Work(double txMillis, double rxMillis, double cpuMillis) {
    public double millis() {
      return txMillis + rxMillis + cpuMillis;
    }
  }

  /** The energy of this work, in microjoules. */
  public double microjoules(Work work) {
    return volts
        * (txMilliamps * work.txMillis()
            + rxMilliamps * work.rxMillis()
            + cpuMilliamps * work.cpuMillis());
  }

  /** The energy of a battery with this charge, in joules. */
  public double batteryJoules(double milliampHours) {
    return milliampHours * 3.6 * volts;
  }
}
