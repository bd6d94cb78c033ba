package dev.vigil.gateway.month;

import dev.vigil.border.associations.SecurityAssociations;
import dev.vigil.border.host.Host;
import dev.vigil.border.host.UdpDatagram;
import dev.vigil.border.host.UdpReceiver;
import dev.vigil.border.host.UdpTransport;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.storage.DurableCounters;
import dev.vigil.border.wire.WireException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's IPv6 host with its associations, as the bridge's pipeline runs it: packets come
 * from and go to the motes' root. The month's thread is the pipeline; {@link #send} may be called
 * by any.
 */
final class GatewayHost implements UdpTransport {
  private final Host host = new Host(drop -> {});
  private final SecurityAssociations associations;
  private final Ipv6Address address;
  private final OnTheWay onTheWay;
  private final Queue<Sending> outgoing = new ArrayDeque<>();

  private volatile boolean asking;

  /** The last datagram that a port received. */
  private @Nullable UdpDatagram delivered;

  /** Changes what the gateway sends, before it is protected. */
  interface OnTheWay {
    byte[] change(Ipv6Address to, byte[] datagram);
  }

  private record Sending(UdpDatagram datagram, SendCallback callback) {}

  GatewayHost(
      Ipv6Address address, DurableCounters counters, RandomGenerator random, OnTheWay onTheWay) {
    this.onTheWay = onTheWay;
    this.address = address;
    this.associations = new SecurityAssociations(counters, random);
    host.addAddress(address);
  }

  SecurityAssociations associations() {
    return associations;
  }

  /** Takes a packet of a mote; empty if the associations, or the host, refuse it. */
  Optional<UdpDatagram> receive(byte[] octets, long nowMillis) {
    delivered = null;
    try {
      Ipv6Packet packet = Ipv6Packet.parse(octets);
      if (associations.blockStores().take(packet)) {
        return Optional.empty();
      }
      Ipv6Packet open = associations.open(packet);
      if (open == packet || associations.persist()) {
        host.receive(open, open != packet, nowMillis);
      }
    } catch (WireException e) {
      // Lost, as the bridge counts it.
    }
    return Optional.ofNullable(delivered);
  }

  /** Requests of the gateway leave only while it waits: Californium repeats them in real time. */
  void setAsking(boolean now) {
    asking = now;
  }

  @Override
  public boolean send(
      int sourcePort, Ipv6Address to, int port, byte[] payload, SendCallback callback) {
    if (!asking && CoapPeek.isRequest(payload)) {
      return true;
    }
    synchronized (outgoing) {
      outgoing.add(
          new Sending(
              new UdpDatagram(address, sourcePort, to, port, onTheWay.change(to, payload)),
              callback));
      outgoing.notifyAll();
    }
    return true;
  }

  /**
   * Waits until a datagram is to be sent to an address, but no longer than so many real
   * milliseconds.
   */
  boolean awaitOutgoing(Ipv6Address to, long millis) throws InterruptedException {
    return awaitOutgoing(to, CompletableFuture.completedFuture(null), false, millis);
  }

  /**
   * As above, or until a request of the gateway's has its answer.
   *
   * @param mayEnd whether the end of the request ends the wait
   */
  boolean awaitOutgoing(Ipv6Address to, CompletableFuture<?> asked, boolean mayEnd, long millis)
      throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    asked.whenComplete(
        (done, thrown) -> {
          synchronized (outgoing) {
            outgoing.notifyAll();
          }
        });
    synchronized (outgoing) {
      while (!(mayEnd && asked.isDone())
          && outgoing.stream().noneMatch(one -> one.datagram.destination().equals(to))) {
        long left = (end - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          return false;
        }
        outgoing.wait(left);
      }
      return true;
    }
  }

  /** The packets to send to some addresses, with their protection. */
  List<byte[]> takeOutgoing(Predicate<Ipv6Address> to) {
    List<Sending> taken;
    synchronized (outgoing) {
      taken = outgoing.stream().filter(one -> to.test(one.datagram.destination())).toList();
      outgoing.removeAll(taken);
    }
    List<byte[]> packets = new ArrayList<>();
    for (Sending one : taken) {
      protectedPacket(one.datagram).ifPresent(packet -> packets.add(packet.encode()));
      one.callback.done(null);
    }
    return packets;
  }

  private Optional<Ipv6Packet> protectedPacket(UdpDatagram datagram) {
    try {
      return Optional.of(associations.protect(Host.packet(datagram)));
    } catch (WireException | UncheckedIOException e) {
      return Optional.empty();
    }
  }

  @Override
  public void bind(int port, UdpReceiver receiver) {
    host.bind(
        port,
        datagram -> {
          delivered = datagram;
          return receiver.received(datagram);
        });
  }

  @Override
  public void unbind(int port) {
    host.unbind(port);
  }

  @Override
  public Ipv6Address address() {
    return address;
  }
}
