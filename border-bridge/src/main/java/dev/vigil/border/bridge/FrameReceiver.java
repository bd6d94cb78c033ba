package dev.vigil.border.bridge;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.link.LinkPort;
import dev.vigil.border.link.LinkSecurityState;
import dev.vigil.border.pipeline.BridgeDrop;
import dev.vigil.border.pipeline.DropCounters;
import dev.vigil.border.pipeline.PipelineThread;
import dev.vigil.border.radio.RadioDrop;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.radio.RadioListener;
import dev.vigil.border.routing.Router;
import dev.vigil.border.slip.TunslipSession;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes frames from the radios' threads to the router. The pipeline thread opens the frames and
 * withholds their packets until the frames' counters are durable.
 */
final class FrameReceiver {
  private static final Logger LOG = LoggerFactory.getLogger(FrameReceiver.class);

  /** A packet of the current batch; the port is null for a tunslip6 board. */
  private record ReceivedPacket(@Nullable LinkPort port, byte[] ipv6) {}

  private final PipelineThread pipeline;
  private final DropCounters drops;
  private final LinkSecurityState linkSecurity;
  private final List<ReceivedPacket> batch = new ArrayList<>();

  FrameReceiver(PipelineThread pipeline, DropCounters drops, LinkSecurityState linkSecurity) {
    this.pipeline = pipeline;
    this.drops = drops;
    this.linkSecurity = linkSecurity;
  }

  /** The listener of a radio whose frames the port opens. */
  RadioListener radioListener(LinkPort port, BiConsumer<LinkPort, Eui64> up) {
    return new RadioInput(port, up);
  }

  /** The listener of a tunslip6 board. */
  TunslipSession.Listener tunslipListener() {
    return new TunslipInput();
  }

  /** Routes the packets of this batch, then delivers the packets that associations opened. */
  void deliver(Router router, long nowMillis) {
    route(router, nowMillis);
    router.deliverOpened(nowMillis);
  }

  /** Routes the packets of this batch, if the frame counters could be made durable. */
  private void route(Router router, long nowMillis) {
    List<ReceivedPacket> packets = List.copyOf(batch);
    batch.clear();
    if (!linkSecurity.persist()) {
      drops.count(BridgeDrop.NOT_DURABLE, packets.size());
      return;
    }
    for (ReceivedPacket packet : packets) {
      pipeline.runSafely(() -> route(router, packet, nowMillis));
    }
  }

  private void route(Router router, ReceivedPacket packet, long nowMillis) {
    try {
      router.received(packet.port(), packet.ipv6(), nowMillis);
    } catch (WireException e) {
      drops.count(e.reason());
    }
  }

  private void open(LinkPort port, byte[] psdu, int lqi) {
    try {
      port.received(psdu, lqi, pipeline.nowMillis())
          .ifPresent(datagram -> batch.add(new ReceivedPacket(port, datagram.ipv6())));
    } catch (WireException e) {
      drops.count(e.reason());
    }
  }

  private void offer(Runnable task) {
    if (!pipeline.offer(task)) {
      drops.count(BridgeDrop.PIPELINE_FULL);
    }
  }

  /** Called on the link's thread; only queues tasks. */
  private final class RadioInput implements RadioListener {
    private final LinkPort port;
    private final BiConsumer<LinkPort, Eui64> up;

    RadioInput(LinkPort port, BiConsumer<LinkPort, Eui64> up) {
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
      offer(() -> open(port, psdu, lqi));
    }

    @Override
    public void dropped(RadioLink link, RadioDrop reason) {
      drops.count(reason);
    }
  }

  /** Called on the line's thread; only queues tasks. */
  private final class TunslipInput implements TunslipSession.Listener {
    @Override
    public void ready(Eui64 eui64) {
      LOG.info("tunslip6: connected to border router {}", eui64);
    }

    @Override
    public void packet(byte[] ipv6) {
      offer(() -> batch.add(new ReceivedPacket(null, ipv6)));
    }

    @Override
    public void text(String line) {
      LOG.debug("tunslip6: border router says: {}", line);
    }

    @Override
    public void malformed() {
      drops.count(RadioDrop.MALFORMED);
    }
  }
}
