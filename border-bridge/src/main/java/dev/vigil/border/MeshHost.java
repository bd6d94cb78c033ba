package dev.vigil.border;

import dev.vigil.border.host.Datagram;
import dev.vigil.border.host.Host;
import dev.vigil.border.host.Mesh;
import dev.vigil.border.host.UdpReceiver;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.WireException;
import java.io.IOException;

/** UDP on the bridge's own host for any thread: makes tasks of the pipeline. */
final class MeshHost implements Mesh {
  private final Host host;
  private final Router router;
  private final Pipeline pipeline;
  private final Drops drops;
  private final Ipv6Address address;

  MeshHost(Host host, Router router, Pipeline pipeline, Drops drops, Ipv6Address address) {
    this.host = host;
    this.router = router;
    this.pipeline = pipeline;
    this.drops = drops;
    this.address = address;
  }

  @Override
  public boolean send(int sourcePort, Ipv6Address to, int port, byte[] payload, Sent sent) {
    boolean taken = pipeline.offer(() -> sendNow(sourcePort, to, port, payload, sent));
    if (!taken) {
      drops.count(BridgeDrop.PIPELINE_FULL);
    }
    return taken;
  }

  private void sendNow(int sourcePort, Ipv6Address to, int port, byte[] payload, Sent sent) {
    Datagram datagram = new Datagram(router.sourceFor(to), sourcePort, to, port, payload);
    try {
      boolean routed = router.output(Host.packet(datagram), null);
      sent.done(routed ? null : new IOException("no route to " + to));
    } catch (WireException e) {
      drops.count(e.reason());
      sent.done(new IOException(e));
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
