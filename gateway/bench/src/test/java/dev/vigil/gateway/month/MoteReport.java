package dev.vigil.gateway.month;

/** Something that a mote did, or a packet of it that reached the gateway. */
sealed interface MoteReport {
  /** In microseconds. */
  long at();

  /** A packet for the gateway, as its radio delivers it. */
  record Packet(long at, byte[] octets) implements MoteReport {}

  /**
   * An event of the endpoint (enum app_event_kind).
   *
   * @param code of the answer, 0 without one
   * @param error 0 or negative
   * @param text depends on the kind
   */
  record Event(
      long at, int mote, Kind kind, long seq, int code, boolean confirmable, int error, String text)
      implements MoteReport {
    /** In the order of enum app_event_kind. */
    enum Kind {
      KEY,
      MIRROR,
      REGISTERED,
      RESUMED,
      SENT,
      REFUSED,
      UNANSWERED,
      COMMAND,
      SENSOR,
      FAILED
    }

    boolean accepted() {
      return kind == Kind.SENT && code >> 5 == 2;
    }
  }

  /** A sensor has measured. Each value of a sensor is one more than the one before. */
  record Measured(long at, int mote, int sensor, long value) implements MoteReport {}

  /** A command was carried out. */
  record Acted(long at, int mote, String payload) implements MoteReport {}

  /** Power went within a write to flash. */
  record PowerLost(long at, int mote) implements MoteReport {}

  /** A mote does not start. */
  record NotStarted(long at, int mote, int error) implements MoteReport {}
}
