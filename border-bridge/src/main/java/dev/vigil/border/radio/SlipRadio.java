package dev.vigil.border.radio;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.slip.SlipRadioSession;
import dev.vigil.border.slip.SlipSession;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An unmodified Contiki-NG slip-radio at a serial port or behind TCP. The radio does CSMA,
 * acknowledgements and repetitions, filters by its own address and leaves repetitions out.
 */
public final class SlipRadio implements RadioLink {
  private static final Logger LOG = LoggerFactory.getLogger(SlipRadio.class);
  private static final int UNKNOWN_LQI = -1;

  private final String name;
  private final SlipRadioSession session;
  private final SlipLine line;
  private volatile @Nullable RadioListener listener;

  private SlipRadio(
      String name, OctetPort.Opener opener, int panId, int channel, LongSupplier nanoTime) {
    this.name = name;
    this.session = new SlipRadioSession(panId, channel, new Heard());
    this.line = new SlipLine(name, opener, new Announcing(), nanoTime);
  }

  /** Behind a TCP port. */
  public static SlipRadio tcp(
      String host, int port, int panId, int channel, LongSupplier nanoTime) {
    return new SlipRadio(
        "tcp:" + host + ":" + port, OctetPort.tcp(host, port), panId, channel, nanoTime);
  }

  /** At a serial port. */
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
  public void start(RadioListener hears) {
    listener = hears;
    line.start();
  }

  @Override
  public boolean send(byte[] psdu, TxListener done) {
    return psdu.length <= MAX_PSDU
        && line.with(
            live ->
                session.submit(
                    psdu, (status, count) -> done.sent(new TxReport(status(status), count))));
  }

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

  /** The session, and a word to the listener when the line goes. */
  private final class Announcing implements SlipSession {
    @Override
    public void connected(long nowMillis) {
      session.connected(nowMillis);
    }

    @Override
    public void received(byte[] frame, long nowMillis) {
      session.received(frame, nowMillis);
    }

    @Override
    public byte @Nullable [] next(long nowMillis) {
      return session.next(nowMillis);
    }

    @Override
    public long deadline() {
      return session.deadline();
    }

    @Override
    public boolean isDead(long nowMillis) {
      return session.isDead(nowMillis);
    }

    @Override
    public void disconnected() {
      session.disconnected();
      RadioListener hears = listener;
      if (hears != null) {
        hears.down(SlipRadio.this);
      }
    }
  }

  private final class Heard implements SlipRadioSession.Listener {
    @Override
    public void ready(Eui64 eui64) {
      LOG.info("{}: radio {}", name, eui64);
      RadioListener hears = listener;
      if (hears != null) {
        hears.up(SlipRadio.this, eui64);
      }
    }

    @Override
    public void frame(byte[] psdu) {
      RadioListener hears = listener;
      if (hears != null) {
        hears.received(SlipRadio.this, psdu, UNKNOWN_LQI);
      }
    }

    @Override
    public void text(String text) {
      LOG.debug("{}: {}", name, text);
    }

    @Override
    public void malformed() {
      RadioListener hears = listener;
      if (hears != null) {
        hears.dropped(SlipRadio.this, RadioDrop.MALFORMED);
      }
    }
  }
}
