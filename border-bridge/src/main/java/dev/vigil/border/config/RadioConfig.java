package dev.vigil.border.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One radio of the bridge. */
public sealed interface RadioConfig {
  /**
   * The virtual radio: the bridge runs the ether.
   *
   * @param port UDP port on loopback, usually 17754; 0 for any free one
   * @param topology a topology file; null: every node hears every other
   * @param octetNanos airtime of an octet in nanoseconds; 32000 as in reality
   */
  record Virtual(int port, @Nullable Path topology, long octetNanos) implements RadioConfig {
    /** Every node hears every other at 250 kbit/s. */
    public static Virtual on(int port) {
      return new Virtual(port, null, 32_000);
    }
  }

  /** A node on the ether of another process: ZEP over UDP. */
  record Zep(String host, int port) implements RadioConfig {}

  /**
   * A Contiki-NG slip-radio at a serial port.
   *
   * @param device the system's name of the port
   * @param baud usually 115200
   */
  record Serial(String device, int baud) implements RadioConfig {}

  /** A Contiki-NG slip-radio behind TCP: a serial port server, Cooja's serial socket. */
  record Tcp(String host, int port) implements RadioConfig {}

  /**
   * A board that runs Contiki-NG's rpl-border-router and speaks tunslip6's protocol. The board is
   * the RPL root; the bridge is a host behind it.
   *
   * @param line a serial port or TCP
   */
  record Tunslip6(RadioConfig line) implements RadioConfig {
    /** Checks the line. */
    public Tunslip6 {
      if (!(line instanceof Serial || line instanceof Tcp)) {
        throw new IllegalArgumentException("tunslip6 needs a serial port or TCP");
      }
    }
  }
}
