package dev.vigil.border;

import dev.vigil.border.capture.Captures;
import dev.vigil.border.capture.Direction;
import dev.vigil.border.capture.LinkType;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.FrameType;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ieee802154.SecurityHeader;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.radio.TxReport;
import dev.vigil.border.radio.TxStatus;
import dev.vigil.border.sixlowpan.Datagram;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.wire.WireException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One radio as the pipeline sees it: frames in, packets out. Belongs to the pipeline thread; only
 * its status is read by others.
 */
final class LinkPort {
  /** What all ports of a bridge share. */
  record Shared(
      BridgeConfig config,
      LinkGuard guard,
      NeighbourTable neighbours,
      Captures captures,
      Drops drops,
      Pipeline pipeline,
      Clock clock) {}

  private final RadioLink link;
  private final Shared shared;
  private final LowpanCodec codec;
  private final TxQueue queue = new TxQueue();
  private final LinkTally tally = new LinkTally();
  private volatile @Nullable Eui64 eui64;
  private volatile int waiting;
  private int sequence;

  LinkPort(RadioLink link, LowpanCodec codec, Shared shared, RandomGenerator random) {
    this.link = link;
    this.codec = codec;
    this.shared = shared;
    this.sequence = random.nextInt(256);
  }

  String name() {
    return link.name();
  }

  void up(Eui64 address) {
    eui64 = address;
  }

  void down() {
    eui64 = null;
    shared.drops().count(BridgeDrop.TX_RADIO, queue.size());
    queue.clear();
    waiting = 0;
  }

  RadioStatus status() {
    return new RadioStatus(name(), isUp(), eui64, waiting, tally.figures());
  }

  boolean isUp() {
    return eui64 != null;
  }

  /** The bridge's link-local address on this radio, while it is up. */
  Optional<Ipv6Address> linkLocal() {
    return Optional.ofNullable(eui64).map(own -> Ipv6Address.linkLocal(own.interfaceId()));
  }

  /** A frame from the radio; a packet if it completed one. */
  Optional<Datagram> received(byte[] psdu, int lqi, long nowMillis) throws WireException {
    shared.captures().packet(LinkType.IEEE802154_WITHOUT_FCS, Direction.IN, psdu);
    Instant now = shared.clock().instant();
    tally.received(psdu.length, now);
    LinkAddress sender = LinkAddress.NONE;
    try {
      Frame frame = Frame.parse(psdu);
      sender = frame.source();
      int pan = frame.pan();
      boolean ours = pan == shared.config().panId() || pan == 0xffff;
      if (frame.control().type() != FrameType.DATA || !ours) {
        shared.drops().count(BridgeDrop.FRAME_NOT_OURS);
        tally.dropped(BridgeDrop.FRAME_NOT_OURS);
        return Optional.empty();
      }
      byte[] payload = shared.guard().open(frame);
      heard(frame, psdu.length, lqi, now);
      return codec.accept(payload, sender, frame.destination(), nowMillis);
    } catch (WireException e) {
      tally.dropped(e.reason());
      shared.neighbours().tally(sender).dropped(e.reason());
      throw e;
    }
  }

  private void heard(Frame frame, int octets, int lqi, Instant now) {
    if (frame.source() instanceof LinkAddress.Extended(Eui64 sender)) {
      SecurityHeader security = frame.security();
      SecurityLevel level = security == null ? SecurityLevel.NONE : security.level();
      shared.neighbours().heard(sender, name(), now, lqi, level, octets);
    }
  }

  /** Sends a packet to a neighbour or to all. */
  void send(byte[] ipv6, LinkAddress to) throws WireException {
    Eui64 own = eui64;
    if (own == null) {
      drop(BridgeDrop.TX_RADIO, to);
      return;
    }
    int room = RadioLink.MAX_PSDU - shared.guard().overhead() - header(to, own).headerLength();
    List<byte[]> payloads =
        codec.encode(ipv6, LinkAddress.of(own), to, room, shared.config().dialect());
    if (!queue.add(to, payloads)) {
      drop(BridgeDrop.TX_QUEUE_FULL, to);
    }
    pump();
  }

  private void drop(BridgeDrop reason, LinkAddress to) {
    shared.drops().count(reason);
    tally.dropped(reason);
    shared.neighbours().tally(to).dropped(reason);
  }

  private Frame header(LinkAddress to, Eui64 own) {
    boolean ackRequest = !to.isBroadcast();
    return Frame.data(
        sequence, shared.config().panId(), to, LinkAddress.of(own), ackRequest, new byte[0]);
  }

  private void pump() {
    for (TxQueue.Packet packet = queue.next(); packet != null; packet = queue.next()) {
      if (!transmit(packet)) {
        queue.done(packet, false);
      }
    }
    waiting = queue.size();
  }

  private boolean transmit(TxQueue.Packet packet) {
    Eui64 own = eui64;
    byte[] payload = packet.payloads().pollFirst();
    if (own == null || payload == null) {
      return false;
    }
    sequence = sequence + 1 & 0xff;
    byte[] psdu;
    try {
      Frame frame = header(packet.to(), own).withPayload(payload);
      psdu = shared.guard().seal(frame, own).encode();
    } catch (WireException e) {
      drop(BridgeDrop.NOT_SECURED, packet.to());
      return false;
    } catch (UncheckedIOException e) {
      drop(BridgeDrop.NOT_DURABLE, packet.to());
      return false;
    }
    int octets = psdu.length;
    boolean taken =
        link.send(psdu, report -> shared.pipeline().execute(() -> done(packet, octets, report)));
    if (!taken) {
      drop(BridgeDrop.TX_RADIO, packet.to());
      return false;
    }
    shared.captures().packet(LinkType.IEEE802154_WITHOUT_FCS, Direction.OUT, psdu);
    return true;
  }

  private void done(TxQueue.Packet packet, int octets, TxReport report) {
    boolean ok = report.status() == TxStatus.OK;
    LinkTally neighbour = shared.neighbours().tally(packet.to());
    for (LinkTally each : List.of(tally, neighbour)) {
      if (ok) {
        each.sent(octets, report.transmissions());
      } else {
        each.failed(report.transmissions());
      }
    }
    if (!ok) {
      boolean silent = report.status() == TxStatus.NO_ACK;
      drop(silent ? BridgeDrop.TX_NO_ACK : BridgeDrop.TX_RADIO, packet.to());
    }
    queue.done(packet, ok);
    pump();
  }

  /** Gives up packets that did not become whole. */
  void expire(long nowMillis) {
    codec.expire(nowMillis).forEach(shared.drops()::count);
  }
}
