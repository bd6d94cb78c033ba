package dev.vigil.border.radio;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.slip.TunslipSession;
import java.util.function.LongSupplier;

/**
 * A board that runs Contiki-NG's rpl-border-router and speaks tunslip6's protocol: it carries IPv6
 * packets, not frames. AH and ESP pass it end to end; the bridge cannot compress its motes'
 * headers.
 */
public final class TunslipLink implements AutoCloseable {
  private final String name;
  private final TunslipSession session;
  private final SlipLine line;

  private TunslipLink(
      String name,
      OctetPort.Opener opener,
      Ipv6Address prefix,
      TunslipSession.Listener listener,
      LongSupplier nanoTime) {
    this.name = name;
    this.session = new TunslipSession(prefix.high(), listener);
    this.line = new SlipLine(name, opener, session, nanoTime);
  }

  /** A board behind a TCP port. */
  public static TunslipLink tcp(
      String host,
      int port,
      Ipv6Address prefix,
      TunslipSession.Listener listener,
      LongSupplier nanoTime) {
    return new TunslipLink(
        "tunslip6:" + host + ":" + port, OctetPort.tcp(host, port), prefix, listener, nanoTime);
  }

  /** A board at a serial port. */
  public static TunslipLink serial(
      String device,
      int baud,
      Ipv6Address prefix,
      TunslipSession.Listener listener,
      LongSupplier nanoTime) {
    return new TunslipLink(
        "tunslip6:" + device, OctetPort.serial(device, baud), prefix, listener, nanoTime);
  }

  /** The link's name in logs and status. */
  public String name() {
    return name;
  }

  /** Starts the line's threads. The listener is called on them and must not block. */
  public void start() {
    line.start();
  }

  /** Queues a packet; false if the line is down or the queue is full. */
  public boolean send(byte[] ipv6) {
    return line.withSession(() -> session.submit(ipv6));
  }

  @Override
  public void close() {
    line.close();
  }
}
