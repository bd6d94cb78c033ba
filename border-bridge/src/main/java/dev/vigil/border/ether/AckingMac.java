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
 * The MAC functions of a radio chip in software: address filter, acknowledgements, retransmissions,
 * duplicate detection (802.15.4-2020, section 6.7.4).
 *
 * <p>States: idle (no frame in flight); awaiting (a frame was sent and its acknowledgement is due).
 * {@code submit} in idle leads to awaiting, or back to idle without acknowledgement request; the
 * acknowledgement with the frame's sequence number leads to idle; the deadline retransmits up to
 * three times and then leads to idle with {@link TxStatus#NO_ACK}. It has no clock and no thread:
 * one caller passes the time.
 */
final class AckingMac {
  /** Transmissions of one frame: the original and three retransmissions (macMaxFrameRetries). */
  static final int MAX_TRANSMISSIONS = 4;

  private static final int MAX_QUEUE = 32;
  private static final int MAX_SENDERS = 256;

  /** After this time a repeated sequence number means a new frame. */
  private static final long DUPLICATE_NANOS = 20_000_000_000L;

  /** The PHY below and the link above. */
  interface Output {
    /** Transmits a frame. */
    void transmit(byte[] psdu);

    /** Hands a received frame to the link. */
    void deliver(byte[] psdu, int lqi);

    /** Counts a dropped frame. */
    void drop(RadioDrop reason);
  }

  private record Outgoing(byte[] psdu, MacHeader header, TxListener done) {}

  private record Seen(int sequence, long at) {}

  private final Eui64 eui64;
  private final int panId;
  private final long ackWaitNanos;
  private final Output output;
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
   * Makes an idle MAC.
   *
   * @param eui64 own address
   * @param ackWaitNanos the time to wait for an acknowledgement. The standard's 864 microseconds
   *     are for chips; a process on a busy machine needs tens of milliseconds
   */
  AckingMac(Eui64 eui64, int panId, long ackWaitNanos, Output output) {
    this.eui64 = eui64;
    this.panId = panId;
    this.ackWaitNanos = ackWaitNanos;
    this.output = output;
  }

  /** Queues a frame for sending; false if the queue is full or the frame malformed. */
  boolean submit(byte[] psdu, TxListener done, long now) {
    MacHeader header = MacHeader.of(psdu);
    if (header == null || psdu.length > RadioLink.MAX_PSDU || queue.size() >= MAX_QUEUE) {
      return false;
    }
    queue.addLast(new Outgoing(psdu, header, done));
    startNext(now);
    return true;
  }

  /** Whether the queue has a free place. */
  boolean hasRoom() {
    return queue.size() < MAX_QUEUE;
  }

  /** Takes a received frame whose FCS was right. */
  void received(byte[] psdu, int lqi, long now) {
    MacHeader header = MacHeader.of(psdu);
    if (header == null) {
      output.drop(RadioDrop.MALFORMED);
    } else if (header.isAck()) {
      acknowledged(header.sequence(), now);
    } else if (header.isFor(eui64, panId)) {
      if (header.ackRequested() && !header.isBroadcast()) {
        output.transmit(MacHeader.acknowledgement(header.sequence()));
      }
      if (isDuplicate(header, now)) {
        output.drop(RadioDrop.DUPLICATE);
      } else {
        output.deliver(psdu, lqi);
      }
    }
  }

  /** Runs the timer: retransmits or gives up. */
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

  /** The time at which {@link #tick} is due, in nanoseconds; {@link Long#MAX_VALUE} for never. */
  long deadline() {
    return deadline;
  }

  /** Fails all frames that are queued or in flight. */
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
    output.transmit(frame.psdu());
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

  private boolean isDuplicate(MacHeader header, long now) {
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
