package dev.vigil.border.routing;

import dev.vigil.border.associations.SecurityAssociations;
import dev.vigil.border.host.Host;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.link.LinkPort;
import dev.vigil.border.pipeline.BridgeDrop;
import dev.vigil.border.pipeline.DropCounters;
import dev.vigil.border.pipeline.PipelineThread;
import dev.vigil.border.wire.WireException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bridge's own host behind its associations. Only this class opens AH and ESP that end here,
 * and adds them to sent packets. Belongs to the pipeline thread.
 */
public final class ProtectedHost {
  private final Host host;
  private final SecurityAssociations associations;
  private final PipelineThread pipeline;
  private final DropCounters drops;

  /**
   * Packets of this batch that an association opened. They are withheld until its number is
   * durable.
   */
  private final List<OpenedPacket> opened = new ArrayList<>();

  private record OpenedPacket(@Nullable LinkPort from, Ipv6Packet packet) {}

  /** Sends a reply of the host through the port on which the request arrived. */
  @FunctionalInterface
  interface ReplySender {
    void send(Ipv6Packet reply, @Nullable LinkPort via) throws WireException;
  }

  public ProtectedHost(
      Host host, SecurityAssociations associations, PipelineThread pipeline, DropCounters drops) {
    this.host = host;
    this.associations = associations;
    this.pipeline = pipeline;
    this.drops = drops;
  }

  Host host() {
    return host;
  }

  /** Takes a packet to one of the host's addresses, in clear, in AH or in ESP. */
  void receive(@Nullable LinkPort from, Ipv6Packet packet, long nowMillis, ReplySender replies)
      throws WireException {
    if (associations.blockStores().take(packet)) {
      return;
    }
    Ipv6Packet open = associations.open(packet);
    if (open == packet) {
      deliver(new OpenedPacket(from, packet), false, nowMillis, replies);
    } else {
      opened.add(new OpenedPacket(from, open));
    }
  }

  /**
   * Delivers the packets that associations opened in this batch, if their replay windows are
   * durable.
   */
  void deliverOpened(long nowMillis, ReplySender replies) {
    List<OpenedPacket> packets = List.copyOf(opened);
    opened.clear();
    if (!associations.persist()) {
      drops.count(BridgeDrop.NOT_DURABLE, packets.size());
      return;
    }
    for (OpenedPacket one : packets) {
      pipeline.runSafely(() -> deliverOpened(one, nowMillis, replies));
    }
  }

  private void deliverOpened(OpenedPacket one, long nowMillis, ReplySender replies) {
    try {
      deliver(one, true, nowMillis, replies);
    } catch (WireException e) {
      drops.count(e.reason());
    }
  }

  private void deliver(OpenedPacket one, boolean authenticated, long nowMillis, ReplySender replies)
      throws WireException {
    Optional<Ipv6Packet> reply = host.receive(one.packet(), authenticated, nowMillis);
    if (reply.isPresent()) {
      replies.send(reply.get(), one.from());
    }
  }

  /** A packet of the host, in AH or ESP as policy requires; empty if it cannot be sent now. */
  Optional<Ipv6Packet> protect(Ipv6Packet packet) throws WireException {
    try {
      return Optional.of(associations.protect(packet));
    } catch (UncheckedIOException e) {
      drops.count(BridgeDrop.NOT_DURABLE);
      return Optional.empty();
    }
  }
}
