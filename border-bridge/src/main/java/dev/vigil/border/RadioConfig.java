package dev.vigil.border;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A radio the bridge is to use. */
public sealed interface RadioConfig {
  /**
   * The virtual radio: the bridge runs the ether.
   *
   * @param port UDP port on loopback, usually 17754; 0 for any free one
   * @param topology a topology file; null: everyone hears everyone
   * @param octetNanos nanoseconds an octet takes on the air; 32000 as in reality
   */
  record Virtual(int port, @Nullable Path topology, long octetNanos) implements RadioConfig {
    /** Everyone hears everyone at 250 kbit/s. */
    public static Virtual on(int port) {
      return new Virtual(port, null, 32_000);
    }
  }

  /** A node on an ether that another process plays: ZEP over UDP. */
  record Zep(String host, int port) implements RadioConfig {}

  /**
   * A Contiki-NG slip-radio at a serial port.
   *
   * @param device as the system names it
   * @param baud usually 115200
   */
  record Serial(String device, int baud) implements RadioConfig {}

  /** A Contiki-NG slip-radio behind TCP: a serial port server, Cooja's serial socket. */
  record Tcp(String host, int port) implements RadioConfig {}

  /**
   * A board that runs Contiki-NG's rpl-border-router, spoken to as tunslip6 does: it is the RPL
   * root then, and the bridge a host behind it.
   *
   * @param line a serial port or TCP
   */
  record Tunslip6(RadioConfig line) implements RadioConfig {
    /** Checks the line. */
    public Tunslip6 {
      if (!(line instanceof Serial || line instanceof Tcp)) {
        throw new IllegalArgumentException("tunslip6 speaks over a serial port or TCP");
      }
    }
  }
}
