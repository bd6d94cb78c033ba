package dev.vigil.border.radio;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.slip.TunslipSession;
import java.util.function.LongSupplier;

/**
 * A board that runs Contiki-NG's rpl-border-router behind tunslip6: it carries IPv6 packets, not
 * frames. AH and ESP pass it from end to end; its motes' headers cannot be compressed further.
 */
public final class PacketLink implements AutoCloseable {
  private final String name;
  private final TunslipSession session;
  private final SlipLine line;

  private PacketLink(
      String name,
      OctetPort.Opener opener,
      Ipv6Address prefix,
      TunslipSession.Listener listener,
      LongSupplier nanoTime) {
    this.name = name;
    this.session = new TunslipSession(prefix.high(), listener);
    this.line = new SlipLine(name, opener, session, nanoTime);
  }

  /** Behind a TCP port. */
  public static PacketLink tcp(
      String host,
      int port,
      Ipv6Address prefix,
      TunslipSession.Listener listener,
      LongSupplier nanoTime) {
    return new PacketLink(
        "tunslip6:" + host + ":" + port, OctetPort.tcp(host, port), prefix, listener, nanoTime);
  }

  /** At a serial port. */
  public static PacketLink serial(
      String device,
      int baud,
      Ipv6Address prefix,
      TunslipSession.Listener listener,
      LongSupplier nanoTime) {
    return new PacketLink(
        "tunslip6:" + device, OctetPort.serial(device, baud), prefix, listener, nanoTime);
  }

  /** A name for people. */
  public String name() {
    return name;
  }

  /** Starts the line's threads. The listener is called on them and must not block. */
  public void start() {
    line.start();
  }

  /** Queues a packet; false if the line is away or too many wait. */
  public boolean send(byte[] ipv6) {
    return line.with(live -> session.submit(ipv6));
  }

  @Override
  public void close() {
    line.close();
  }
}
