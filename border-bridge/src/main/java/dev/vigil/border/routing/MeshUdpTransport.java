package dev.vigil.border.routing;

import dev.vigil.border.host.Host;
import dev.vigil.border.host.UdpDatagram;
import dev.vigil.border.host.UdpReceiver;
import dev.vigil.border.host.UdpTransport;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.pipeline.BridgeDrop;
import dev.vigil.border.pipeline.DropCounters;
import dev.vigil.border.pipeline.PipelineThread;
import dev.vigil.border.wire.WireException;
import java.io.IOException;

/** UDP on the bridge's own host, for any thread: each call becomes a task of the pipeline. */
public final class MeshUdpTransport implements UdpTransport {
  private final Host host;
  private final Router router;
  private final PipelineThread pipeline;
  private final DropCounters drops;
  private final Ipv6Address address;

  public MeshUdpTransport(
      Host host, Router router, PipelineThread pipeline, DropCounters drops, Ipv6Address address) {
    this.host = host;
    this.router = router;
    this.pipeline = pipeline;
    this.drops = drops;
    this.address = address;
  }

  @Override
  public boolean send(
      int sourcePort, Ipv6Address to, int port, byte[] payload, SendCallback callback) {
    boolean taken = pipeline.offer(() -> sendNow(sourcePort, to, port, payload, callback));
    if (!taken) {
      drops.count(BridgeDrop.PIPELINE_FULL);
    }
    return taken;
  }

  private void sendNow(
      int sourcePort, Ipv6Address to, int port, byte[] payload, SendCallback callback) {
    UdpDatagram datagram = new UdpDatagram(router.sourceFor(to), sourcePort, to, port, payload);
    try {
      boolean routed = router.originate(Host.packet(datagram), null);
      callback.done(routed ? null : new IOException("no route to " + to));
    } catch (WireException e) {
      drops.count(e.reason());
      callback.done(new IOException(e));
    }
  }

  @Override
  public void bind(int port, UdpReceiver receiver) {
    pipeline.execute(() -> host.bind(port, receiver));
  }

  @Override
  public void unbind(int port) {
    pipeline.execute(() -> host.unbind(port));
  }

  @Override
  public Ipv6Address address() {
    return address;
  }
}
