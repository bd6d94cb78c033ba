package dev.vigil.gateway.config;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A radio.
 *
 * @param kind which of the others count: VIRTUAL port, topology and octet-time; SERIAL device and
 *     baud; TCP and ZEP host and port; TUNSLIP6_SERIAL and TUNSLIP6_TCP as SERIAL and TCP
 * @param port of the virtual radio on loopback (0 takes a free one), or of a slip-radio behind TCP
 * @param topology a file that says who hears whom; empty: everyone hears everyone
 * @param octetNanos nanoseconds an octet takes on the virtual air
 */
public record RadioProperties(
    @DefaultValue("virtual") Kind kind,
    @DefaultValue("17754") int port,
    @DefaultValue("") String topology,
    @DefaultValue("32000") long octetNanos,
    @DefaultValue("/dev/ttyUSB0") String device,
    @DefaultValue("115200") int baud,
    @DefaultValue("localhost") String host) {

  /** What carries the frames. */
  public enum Kind {
    VIRTUAL,
    SERIAL,
    TCP,
    /** An ether that another process plays. */
    ZEP,
    TUNSLIP6_SERIAL,
    TUNSLIP6_TCP
  }

  public RadioProperties {
    Check.port("border.radios.port", port);
  }
}
