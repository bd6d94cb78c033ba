package dev.vigil.gateway.clock;

/** Whether NTP, or another service, synchronises the machine's clock. */
public enum Synchronisation {
  KEPT(1),
  LOST(0),
  UNKNOWN(Double.NaN);

  private final double figure;

  Synchronisation(double figure) {
    this.figure = figure;
  }

  /** 1, 0, or NaN. */
  double figure() {
    return figure;
  }
}
