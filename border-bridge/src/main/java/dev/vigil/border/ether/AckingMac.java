package dev.vigil.border.ether;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.radio.RadioDrop;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.radio.TxListener;
import dev.vigil.border.radio.TxReport;
import dev.vigil.border.radio.TxStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a radio chip does by itself, for links that have none: filters by address, acknowledges,
 * waits for acknowledgements and repeats, leaves repetitions out (IEEE 802.15.4-2020, 6.7.4).
 *
 * <p>States: idle (nothing in flight); awaiting (a frame went out and asks for an acknowledgement).
 * {@code submit} in idle leads to awaiting, or back to idle where no acknowledgement is asked for;
 * the acknowledgement with its sequence number leads to idle; the deadline repeats the frame up to
 * three times and then leads to idle with {@link TxStatus#NO_ACK}. Pure but for its outputs: the
 * caller passes the time and is the only one to call.
 */
final class AckingMac {
  /** Transmissions of one frame: the first and three repetitions (macMaxFrameRetries). */
  static final int MAX_TRANSMISSIONS = 4;

  private static final int MAX_QUEUE = 32;
  private static final int MAX_SENDERS = 256;

  /** A sequence number seen longer ago is a new frame. */
  private static final long DUPLICATE_NANOS = 20_000_000_000L;

  /** Where frames go. */
  interface Air {
    /** Puts a frame on the air. */
    void transmit(byte[] psdu);

    /** Hands a frame up. */
    void deliver(byte[] psdu, int lqi);

    /** Counts a frame that goes nowhere. */
    void drop(RadioDrop reason);
  }

  private record Outgoing(byte[] psdu, MacPeek header, TxListener done) {}

  private record Seen(int sequence, long at) {}

  private final Eui64 eui64;
  private final int panId;
  private final long ackWaitNanos;
  private final Air air;
  private final Deque<Outgoing> queue = new ArrayDeque<>();
  private final Map<LinkAddress, Seen> seen =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LinkAddress, Seen> eldest) {
          return size() > MAX_SENDERS;
        }
      };

  private @Nullable Outgoing inFlight;
  private int transmissions;
  private long deadline = Long.MAX_VALUE;

  /**
   * Makes an idle one.
   *
   * @param eui64 own address
   * @param ackWaitNanos how long an acknowledgement may take. The standard's 864 microseconds is
   *     for chips; a process on a busy machine needs tens of milliseconds
   */
  AckingMac(Eui64 eui64, int panId, long ackWaitNanos, Air air) {
    this.eui64 = eui64;
    this.panId = panId;
    this.ackWaitNanos = ackWaitNanos;
    this.air = air;
  }

  /** Takes a frame for sending; false if the queue is full or the frame no frame. */
  boolean submit(byte[] psdu, TxListener done, long now) {
    MacPeek header = MacPeek.of(psdu);
    if (header == null || psdu.length > RadioLink.MAX_PSDU || queue.size() >= MAX_QUEUE) {
      return false;
    }
    queue.addLast(new Outgoing(psdu, header, done));
    startNext(now);
    return true;
  }

  /** Whether another frame may be submitted. */
  boolean hasRoom() {
    return queue.size() < MAX_QUEUE;
  }

  /** A frame arrived whose FCS was right. */
  void received(byte[] psdu, int lqi, long now) {
    MacPeek header = MacPeek.of(psdu);
    if (header == null) {
      air.drop(RadioDrop.MALFORMED);
    } else if (header.isAck()) {
      acknowledged(header.sequence(), now);
    } else if (header.isFor(eui64, panId)) {
      if (header.ackRequested() && !header.isBroadcast()) {
        air.transmit(MacPeek.acknowledgement(header.sequence()));
      }
      if (isDuplicate(header, now)) {
        air.drop(RadioDrop.DUPLICATE);
      } else {
        air.deliver(psdu, lqi);
      }
    }
  }

  /** Time has passed: repeats or gives up. */
  void tick(long now) {
    Outgoing current = inFlight;
    if (current != null && now >= deadline) {
      if (transmissions < MAX_TRANSMISSIONS) {
        transmit(current, now);
      } else {
        finish(current, TxStatus.NO_ACK, now);
      }
    }
  }

  /** When {@link #tick} is due, in nanoseconds; {@link Long#MAX_VALUE} for never. */
  long deadline() {
    return deadline;
  }

  /** The radio is gone: everything that waits has failed. */
  void abort() {
    Outgoing current = inFlight;
    inFlight = null;
    deadline = Long.MAX_VALUE;
    if (current != null) {
      current.done().sent(new TxReport(TxStatus.ERROR, transmissions));
    }
    while (!queue.isEmpty()) {
      queue.removeFirst().done().sent(new TxReport(TxStatus.ERROR, 0));
    }
  }

  private void startNext(long now) {
    while (inFlight == null && !queue.isEmpty()) {
      Outgoing next = queue.removeFirst();
      inFlight = next;
      transmissions = 0;
      transmit(next, now);
      if (!next.header().ackRequested()) {
        finish(next, TxStatus.OK, now);
      }
    }
  }

  private void transmit(Outgoing frame, long now) {
    transmissions++;
    deadline = now + ackWaitNanos;
    air.transmit(frame.psdu());
  }

  private void acknowledged(int sequence, long now) {
    Outgoing current = inFlight;
    if (current != null && current.header().sequence() == sequence) {
      finish(current, TxStatus.OK, now);
    }
  }

  private void finish(Outgoing frame, TxStatus status, long now) {
    inFlight = null;
    deadline = Long.MAX_VALUE;
    frame.done().sent(new TxReport(status, transmissions));
    startNext(now);
  }

  private boolean isDuplicate(MacPeek header, long now) {
    LinkAddress source = header.source();
    if (source.equals(LinkAddress.NONE)) {
      return false;
    }
    Seen before = seen.remove(source);
    seen.put(source, new Seen(header.sequence(), now));
    return before != null
        && before.sequence() == header.sequence()
        && now - before.at() < DUPLICATE_NANOS;
  }
}
