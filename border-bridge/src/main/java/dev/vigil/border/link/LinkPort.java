package dev.vigil.border.link;

import dev.vigil.border.capture.Direction;
import dev.vigil.border.capture.LinkType;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.FrameType;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ieee802154.SecurityHeader;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.pipeline.BridgeDrop;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.radio.TxReport;
import dev.vigil.border.radio.TxStatus;
import dev.vigil.border.sixlowpan.Datagram;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.sixlowpan.NeighbourForms;
import dev.vigil.border.sixlowpan.NhcSupport;
import dev.vigil.border.wire.WireException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One radio in the pipeline: frames in, packets out; 802.15.4, link security and 6LoWPAN. Belongs
 * to the pipeline thread; other threads may read only {@link #status}.
 */
public final class LinkPort {
  private static final int BROADCAST_PAN = 0xffff;

  /** The offset of the source's interface identifier in an IPv6 packet. */
  private static final int SOURCE_IDENTIFIER = 16;

  private final RadioLink link;
  private final LinkContext context;
  private final LowpanCodec codec;
  private final TxQueue queue = new TxQueue();
  private final LinkCounters counters = new LinkCounters();
  private volatile @Nullable Eui64 eui64;
  private volatile int waiting;
  private int sequence;

  public LinkPort(RadioLink link, LowpanCodec codec, LinkContext context, RandomGenerator random) {
    this.link = link;
    this.codec = codec;
    this.context = context;
    this.sequence = random.nextInt(256);
  }

  public String name() {
    return link.name();
  }

  public void up(Eui64 address) {
    eui64 = address;
  }

  public void down() {
    eui64 = null;
    context.drops().count(BridgeDrop.TX_RADIO, queue.size());
    queue.clear();
    waiting = 0;
  }

  public RadioStatus status() {
    return new RadioStatus(name(), isUp(), eui64, waiting, counters.statistics());
  }

  public boolean isUp() {
    return eui64 != null;
  }

  /** The bridge's link-local address on this radio, while the radio is up. */
  public Optional<Ipv6Address> linkLocal() {
    return Optional.ofNullable(eui64).map(own -> Ipv6Address.linkLocal(own.interfaceId()));
  }

  /** Takes a frame from the radio and returns the packet that it completed. */
  public Optional<Datagram> received(byte[] psdu, int lqi, long nowMillis) throws WireException {
    context.captures().packet(LinkType.IEEE802154_WITHOUT_FCS, Direction.IN, psdu);
    Instant now = context.clock().instant();
    counters.received(psdu.length, now);
    LinkAddress sender = LinkAddress.NONE;
    try {
      Frame frame = Frame.parse(psdu);
      sender = frame.source();
      int pan = frame.pan();
      boolean ours = pan == context.mesh().panId() || pan == BROADCAST_PAN;
      if (frame.control().type() != FrameType.DATA || !ours) {
        context.drops().count(BridgeDrop.FRAME_NOT_OURS);
        counters.dropped(BridgeDrop.FRAME_NOT_OURS);
        return Optional.empty();
      }
      byte[] payload = context.security().open(frame);
      updateNeighbour(frame, psdu.length, lqi, now);
      Optional<Datagram> datagram =
          restored(codec.accept(payload, sender, frame.destination(), nowMillis), sender);
      if (datagram.isPresent()) {
        context.lastHops().heard(datagram.get().ipv6(), sender);
        if (datagram.get().contextUsed()) {
          context.neighbours().usedContext(sender);
        }
        if (datagram.get().saving().compressed()) {
          receivedCompressed(datagram.get(), sender);
        }
      }
      return datagram;
    } catch (WireException e) {
      counters.dropped(e.reason());
      context.neighbours().counters(sender).dropped(e.reason());
      throw e;
    }
  }

  /** Restores an elided sequence number, and notes whether the sender elides its own. */
  private Optional<Datagram> restored(Optional<Datagram> datagram, LinkAddress sender)
      throws WireException {
    if (datagram.isEmpty() || !datagram.get().saving().compressed()) {
      return datagram;
    }
    Datagram received = datagram.get();
    int low = received.lowOctets();
    byte[] whole = low == 0 ? received.ipv6() : context.sequences().restore(received.ipv6(), low);
    if (ByteBuffer.wrap(whole).getLong(SOURCE_IDENTIFIER) == sender.interfaceId()) {
      context.neighbours().sentLowOctets(sender, low);
    }
    return Optional.of(received.withWholeSequence(whole));
  }

  /**
   * Records that the sender of the frame, which may be a forwarder, reads compressed AH and ESP.
   */
  private void receivedCompressed(Datagram datagram, LinkAddress sender) throws WireException {
    int octets = datagram.saving().octets();
    context.neighbours().sentCompressedIpsec(sender);
    context.neighbours().counters(sender).savedIn(octets);
    counters.savedIn(octets);
    context.savings().saved(Direction.IN, datagram.ipv6(), datagram.saving());
  }

  private void updateNeighbour(Frame frame, int octets, int lqi, Instant now) {
    if (frame.source() instanceof LinkAddress.Extended(Eui64 sender)) {
      SecurityHeader security = frame.security();
      SecurityLevel level = security == null ? SecurityLevel.NONE : security.level();
      context.neighbours().heard(sender, name(), now, lqi, level, octets);
    }
  }

  /** Sends a packet to a neighbour, or as a broadcast. */
  public void send(byte[] ipv6, LinkAddress to) throws WireException {
    Eui64 own = eui64;
    if (own == null) {
      drop(BridgeDrop.TX_RADIO, to);
      return;
    }
    int overhead = context.security().overhead() + header(to, own).headerLength();
    SequenceElision elision = elision(ipv6, to);
    LowpanCodec.Encoded encoded =
        codec.encodeCounted(
            ipv6,
            LinkAddress.of(own),
            to,
            RadioLink.MAX_PSDU - overhead,
            new NeighbourForms(
                dialect(to), context.neighbours().knowsContexts(to), elision.lowOctets()));
    if (queue.add(to, encoded.payloads(), elision.wholeSequence())) {
      context.neighbours().counters(to).savedOut(encoded.saving().octets());
      counters.savedOut(encoded.saving().octets());
      context.savings().saved(Direction.OUT, ipv6, encoded.saving());
    } else {
      drop(BridgeDrop.TX_QUEUE_FULL, to);
    }
    transmitQueued();
  }

  private SequenceElision elision(byte[] ipv6, LinkAddress to) throws WireException {
    NeighbourTable neighbours = context.neighbours();
    int octets = neighbours.lowOctets(to);
    return octets == 0
        ? SequenceElision.NONE
        : SequenceElision.of(
            context.sequences().sent(ipv6, to), octets, neighbours.knowsSequence(to));
  }

  private NhcSupport dialect(LinkAddress to) {
    return context.mesh().dialects().of(to, context.neighbours().readsCompressedIpsec(to));
  }

  private void drop(BridgeDrop reason, LinkAddress to) {
    context.drops().count(reason);
    counters.dropped(reason);
    context.neighbours().counters(to).dropped(reason);
  }

  private Frame header(LinkAddress to, Eui64 own) {
    boolean ackRequest = !to.isBroadcast();
    return Frame.data(
        sequence, context.mesh().panId(), to, LinkAddress.of(own), ackRequest, new byte[0]);
  }

  private void transmitQueued() {
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
      psdu = context.security().seal(frame, own).encode();
    } catch (WireException e) {
      drop(BridgeDrop.NOT_SECURED, packet.to());
      return false;
    } catch (UncheckedIOException e) {
      drop(BridgeDrop.NOT_DURABLE, packet.to());
      return false;
    }
    int octets = psdu.length;
    boolean taken =
        link.send(
            psdu, report -> context.pipeline().execute(() -> transmitted(packet, octets, report)));
    if (!taken) {
      drop(BridgeDrop.TX_RADIO, packet.to());
      return false;
    }
    context.captures().packet(LinkType.IEEE802154_WITHOUT_FCS, Direction.OUT, psdu);
    return true;
  }

  private void transmitted(TxQueue.Packet packet, int octets, TxReport report) {
    boolean ok = report.status() == TxStatus.OK;
    LinkCounters neighbour = context.neighbours().counters(packet.to());
    for (LinkCounters each : List.of(counters, neighbour)) {
      if (ok) {
        each.sent(octets, report.transmissions());
      } else {
        each.failed(report.transmissions());
      }
    }
    if (!ok || packet.wholeSequence() && packet.payloads().isEmpty()) {
      context.neighbours().knowsSequence(packet.to(), ok);
    }
    if (!ok) {
      boolean silent = report.status() == TxStatus.NO_ACK;
      drop(silent ? BridgeDrop.TX_NO_ACK : BridgeDrop.TX_RADIO, packet.to());
    }
    queue.done(packet, ok);
    transmitQueued();
  }

  /** Drops packets whose fragments did not all arrive in time. */
  public void expire(long nowMillis) {
    codec.expire(nowMillis).forEach(context.drops()::count);
  }
}
