package dev.vigil.border.radio;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.slip.SlipRadioSession;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An unmodified Contiki-NG slip-radio at a serial port or behind TCP. The radio does CSMA,
 * acknowledgements and retransmissions, filters by its own address and drops duplicates.
 */
public final class SlipRadio implements RadioLink {
  private static final Logger LOG = LoggerFactory.getLogger(SlipRadio.class);
  private static final int UNKNOWN_LQI = -1;

  private final String name;
  private final SlipRadioSession session;
  private final SlipLine line;
  private final RadioEvents events = new RadioEvents(this);

  private SlipRadio(
      String name, OctetPort.Opener opener, int panId, int channel, LongSupplier nanoTime) {
    this.name = name;
    this.session = new SlipRadioSession(panId, channel, new SessionListener());
    this.line = new SlipLine(name, opener, session, nanoTime);
  }

  /** A slip-radio behind a TCP port. */
  public static SlipRadio tcp(
      String host, int port, int panId, int channel, LongSupplier nanoTime) {
    return new SlipRadio(
        "tcp:" + host + ":" + port, OctetPort.tcp(host, port), panId, channel, nanoTime);
  }

  /** A slip-radio at a serial port. */
  public static SlipRadio serial(
      String device, int baud, int panId, int channel, LongSupplier nanoTime) {
    return new SlipRadio(
        "serial:" + device, OctetPort.serial(device, baud), panId, channel, nanoTime);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void start(RadioListener listener) {
    events.setListener(listener);
    line.start();
  }

  @Override
  public boolean send(byte[] psdu, TxListener done) {
    return psdu.length <= MAX_PSDU
        && line.withSession(
            () ->
                session.submit(
                    psdu, (status, count) -> done.sent(new TxReport(status(status), count))));
  }

  /** Translates a status of Contiki-NG's mac.h. */
  private static TxStatus status(int reported) {
    return switch (reported) {
      case 0 -> TxStatus.OK;
      case 1 -> TxStatus.COLLISION;
      case 2 -> TxStatus.NO_ACK;
      default -> TxStatus.ERROR;
    };
  }

  @Override
  public void close() {
    line.close();
  }

  private final class SessionListener implements SlipRadioSession.Listener {
    @Override
    public void ready(Eui64 eui64) {
      LOG.info("{}: slip-radio {} is up", name, eui64);
      events.up(eui64);
    }

    @Override
    public void frame(byte[] psdu) {
      events.received(psdu, UNKNOWN_LQI);
    }

    @Override
    public void text(String text) {
      LOG.debug("{}: slip-radio says: {}", name, text);
    }

    @Override
    public void malformed() {
      events.dropped(RadioDrop.MALFORMED);
    }

    @Override
    public void lost() {
      events.down();
    }
  }
}
