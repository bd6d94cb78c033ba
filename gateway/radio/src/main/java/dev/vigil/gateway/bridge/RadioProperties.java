package dev.vigil.gateway.bridge;

import dev.vigil.gateway.settings.SettingChecks;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A radio.
 *
 * @param kind determines the other settings: VIRTUAL uses port, topology and octet-nanos; SERIAL
 *     device and baud; TCP and ZEP host and port; TUNSLIP6_SERIAL and TUNSLIP6_TCP the same as
 *     SERIAL and TCP
 * @param port of the virtual radio on loopback (0: any free port), or of a slip-radio behind TCP
 * @param topology a file of the links between nodes; empty: every node hears every other
 * @param octetNanos airtime of an octet on the virtual radio, in nanoseconds
 */
public record RadioProperties(
    @DefaultValue("virtual") Kind kind,
    @DefaultValue("17754") int port,
    @DefaultValue("") String topology,
    @DefaultValue("32000") long octetNanos,
    @DefaultValue("/dev/ttyUSB0") String device,
    @DefaultValue("115200") int baud,
    @DefaultValue("localhost") String host) {

  /** The carrier of the frames. */
  public enum Kind {
    VIRTUAL,
    SERIAL,
    TCP,
    /** A virtual ether in another process. */
    ZEP,
    TUNSLIP6_SERIAL,
    TUNSLIP6_TCP
  }

  public RadioProperties {
    SettingChecks.port("border.radios.port", port);
  }
}
