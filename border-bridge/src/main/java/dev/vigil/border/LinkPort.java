package dev.vigil.border;

import dev.vigil.border.capture.Captures;
import dev.vigil.border.capture.Direction;
import dev.vigil.border.capture.LinkType;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.FrameType;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.radio.TxReport;
import dev.vigil.border.radio.TxStatus;
import dev.vigil.border.sixlowpan.Datagram;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One radio as the pipeline sees it: frames in, packets out, one frame in the radio's hands at a
 * time. A packet whose frame was not acknowledged is given up whole: its other fragments would only
 * take airtime. Belongs to the pipeline thread; only its status is read by others.
 */
final class LinkPort {
  /** Packets that may wait for a radio. */
  static final int MAX_WAITING = 64;

  /** What all ports of a bridge share. */
  record Shared(
      BridgeConfig config,
      LinkGuard guard,
      NeighbourTable neighbours,
      Captures captures,
      Drops drops,
      Pipeline pipeline,
      Clock clock) {}

  private record Waiting(Deque<byte[]> payloads, LinkAddress to) {}

  private final RadioLink link;
  private final Shared shared;
  private final LowpanCodec codec;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private volatile @Nullable Eui64 eui64;
  private boolean inFlight;
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
    shared.drops().count(BridgeDrop.TX_RADIO, waiting.size());
    waiting.clear();
  }

  RadioStatus status() {
    return new RadioStatus(name(), isUp(), eui64);
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
    Frame frame = Frame.parse(psdu);
    int pan = frame.pan();
    boolean ours = pan == shared.config().panId() || pan == 0xffff;
    if (frame.control().type() != FrameType.DATA || !ours) {
      shared.drops().count(BridgeDrop.FRAME_NOT_OURS);
      return Optional.empty();
    }
    byte[] payload = shared.guard().open(frame);
    if (frame.source() instanceof LinkAddress.Extended(Eui64 sender)) {
      shared.neighbours().heard(sender, name(), shared.clock().instant(), lqi);
    }
    return codec.accept(payload, frame.source(), frame.destination(), nowMillis);
  }

  /** Sends a packet to a neighbour or to all. */
  void send(byte[] ipv6, LinkAddress to) throws WireException {
    Eui64 own = eui64;
    if (own == null) {
      shared.drops().count(BridgeDrop.TX_RADIO);
      return;
    }
    if (waiting.size() >= MAX_WAITING) {
      shared.drops().count(BridgeDrop.TX_QUEUE_FULL);
      return;
    }
    int room = RadioLink.MAX_PSDU - shared.guard().overhead() - header(to, own).headerLength();
    List<byte[]> payloads =
        codec.encode(ipv6, LinkAddress.of(own), to, room, shared.config().dialect());
    waiting.addLast(new Waiting(new ArrayDeque<>(payloads), to));
    pump();
  }

  private Frame header(LinkAddress to, Eui64 own) {
    boolean ackRequest = !to.isBroadcast();
    return Frame.data(
        sequence, shared.config().panId(), to, LinkAddress.of(own), ackRequest, new byte[0]);
  }

  private void pump() {
    while (!inFlight && !waiting.isEmpty()) {
      Waiting packet = waiting.getFirst();
      byte[] payload = packet.payloads().pollFirst();
      if (payload == null) {
        waiting.removeFirst();
      } else if (!transmit(payload, packet.to())) {
        waiting.removeFirst();
      }
    }
  }

  private boolean transmit(byte[] payload, LinkAddress to) {
    Eui64 own = eui64;
    if (own == null) {
      return false;
    }
    sequence = sequence + 1 & 0xff;
    byte[] psdu;
    try {
      psdu = shared.guard().seal(header(to, own).withPayload(payload), own).encode();
    } catch (WireException e) {
      shared.drops().count(BridgeDrop.NOT_SECURED);
      return false;
    } catch (UncheckedIOException e) {
      shared.drops().count(BridgeDrop.NOT_DURABLE);
      return false;
    }
    inFlight = true;
    boolean taken = link.send(psdu, report -> shared.pipeline().execute(() -> done(to, report)));
    if (!taken) {
      inFlight = false;
      shared.drops().count(BridgeDrop.TX_RADIO);
      return false;
    }
    shared.captures().packet(LinkType.IEEE802154_WITHOUT_FCS, Direction.OUT, psdu);
    return true;
  }

  private void done(LinkAddress to, TxReport report) {
    inFlight = false;
    boolean ok = report.status() == TxStatus.OK;
    shared.neighbours().sent(to, ok, report.transmissions());
    if (!ok) {
      boolean silent = report.status() == TxStatus.NO_ACK;
      shared.drops().count(silent ? BridgeDrop.TX_NO_ACK : BridgeDrop.TX_RADIO);
      waiting.pollFirst();
    }
    pump();
  }

  /** Gives up packets that did not become whole. */
  void expire(long nowMillis) {
    shared.drops().count(Drop.FRAGMENT_TIMEOUT, codec.expire(nowMillis));
  }
}
