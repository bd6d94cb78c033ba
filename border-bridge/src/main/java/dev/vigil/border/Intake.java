package dev.vigil.border;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.radio.RadioDrop;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.radio.RadioListener;
import dev.vigil.border.slip.TunslipSession;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What radios bring, on its way to the router: links' threads leave frames here, the pipeline opens
 * them, and holds the packets back until the counters of their frames are durable.
 */
final class Intake {
  private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

  private record Arrived(@Nullable LinkPort port, byte[] ipv6) {}

  private final Pipeline pipeline;
  private final Drops drops;
  private final LinkGuard guard;
  private final List<Arrived> arrived = new ArrayList<>();

  Intake(Pipeline pipeline, Drops drops, LinkGuard guard) {
    this.pipeline = pipeline;
    this.drops = drops;
    this.guard = guard;
  }

  /** Hears a radio whose frames a port opens. */
  RadioListener radio(LinkPort port, BiConsumer<LinkPort, Eui64> up) {
    return new FromRadio(port, up);
  }

  /** Hears a board that is a border router itself. */
  TunslipSession.Listener board() {
    return new FromBoard();
  }

  /** The packets of this batch go on, if what must not repeat is durable. */
  void deliver(Router router, long nowMillis) {
    List<Arrived> batch = List.copyOf(arrived);
    arrived.clear();
    if (!guard.persist()) {
      drops.count(BridgeDrop.NOT_DURABLE, batch.size());
      return;
    }
    for (Arrived packet : batch) {
      try {
        router.received(packet.port(), packet.ipv6(), nowMillis);
      } catch (WireException e) {
        drops.count(e.reason());
      }
    }
  }

  private void frame(LinkPort port, byte[] psdu, int lqi) {
    try {
      port.received(psdu, lqi, pipeline.nowMillis())
          .ifPresent(
              datagram -> {
                if (datagram.nhcInsideEsp()) {
                  drops.count(Drop.POLICY);
                } else {
                  arrived.add(new Arrived(port, datagram.ipv6()));
                }
              });
    } catch (WireException e) {
      drops.count(e.reason());
    }
  }

  private void offer(Runnable task) {
    if (!pipeline.offer(task)) {
      drops.count(BridgeDrop.PIPELINE_FULL);
    }
  }

  /** The link's thread comes in here and leaves at once. */
  private final class FromRadio implements RadioListener {
    private final LinkPort port;
    private final BiConsumer<LinkPort, Eui64> up;

    FromRadio(LinkPort port, BiConsumer<LinkPort, Eui64> up) {
      this.port = port;
      this.up = up;
    }

    @Override
    public void up(RadioLink link, Eui64 eui64) {
      pipeline.execute(() -> up.accept(port, eui64));
    }

    @Override
    public void down(RadioLink link) {
      pipeline.execute(port::down);
    }

    @Override
    public void received(RadioLink link, byte[] psdu, int lqi) {
      offer(() -> frame(port, psdu, lqi));
    }

    @Override
    public void dropped(RadioLink link, RadioDrop reason) {
      drops.count(reason);
    }
  }

  /** A board's own thread comes in here and leaves at once. */
  private final class FromBoard implements TunslipSession.Listener {
    @Override
    public void ready(Eui64 eui64) {
      LOG.info("border router {}", eui64);
    }

    @Override
    public void packet(byte[] ipv6) {
      offer(() -> arrived.add(new Arrived(null, ipv6)));
    }

    @Override
    public void text(String line) {
      LOG.debug("border router: {}", line);
    }

    @Override
    public void malformed() {
      drops.count(RadioDrop.MALFORMED);
    }
  }
}
