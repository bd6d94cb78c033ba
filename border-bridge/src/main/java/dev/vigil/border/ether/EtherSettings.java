package dev.vigil.border.ether;

/**
 * The settings of an ether.
 *
 * @param port UDP port on the loopback addresses; 0 for any free one
 * @param topology which node hears which
 * @param octetNanos airtime of an octet in nanoseconds: {@link #REAL_AIRTIME}, a fraction of it for
 *     a faster medium, 0 for none
 * @param ackWaitMillis the time for which the gateway's own node waits for an acknowledgement
 */
public record EtherSettings(int port, Topology topology, long octetNanos, long ackWaitMillis) {
  /** 250 kbit/s. */
  public static final long REAL_AIRTIME = 32_000;

  /** The usual port. */
  public static final int DEFAULT_PORT = ZepPacket.PORT;

  /**
   * A process answers only when it is scheduled, whereas hardware answers within 192 microseconds.
   */
  public static final long DEFAULT_ACK_WAIT_MILLIS = 100;

  /** Checks the ranges. */
  public EtherSettings {
    if (port < 0 || port > 0xffff || octetNanos < 0 || octetNanos > 1_000_000_000) {
      throw new IllegalArgumentException("port must be 0 to 65535, octetNanos 0 to 10^9");
    }
    if (ackWaitMillis < 1 || ackWaitMillis > 10_000) {
      throw new IllegalArgumentException("ackWaitMillis must be 1 to 10000");
    }
  }

  /** Real airtime; every node hears every other. */
  public static EtherSettings on(int port) {
    return new EtherSettings(port, Topology.everyone(), REAL_AIRTIME, DEFAULT_ACK_WAIT_MILLIS);
  }

  /** The same settings with another topology. */
  public EtherSettings withTopology(Topology other) {
    return new EtherSettings(port, other, octetNanos, ackWaitMillis);
  }

  /** The same settings with another airtime. */
  public EtherSettings withOctetNanos(long other) {
    return new EtherSettings(port, topology, other, ackWaitMillis);
  }
}
