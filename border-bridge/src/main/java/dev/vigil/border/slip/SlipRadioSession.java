package dev.vigil.border.slip;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.wire.WireException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The host's side of the slip-radio protocol.
 *
 * <p>States: asking (from {@code connected} on: asks for the address every second); ready (the
 * address came; frames flow); dead (the radio did not answer). The radio's address leads from
 * asking to ready, {@code connected} from all states to asking. A ready radio is asked again every
 * 30 s, because it may have restarted without closing the line; its default channel and PAN can
 * carry frames too, so no frame proves that it still has its parameters.
 *
 * <p>Limits of the radio: 16 frames outstanding; it loses SLIP frames that follow each other too
 * fast. Therefore the next frame waits for the report of the previous frame, or for 32 ms.
 */
public final class SlipRadioSession implements SlipSession {
  /** The number of frames that the radio keeps track of. */
  static final int MAX_OUTSTANDING = 16;

  private static final int MAX_QUEUE = 64;
  private static final int SIDS = 128;
  private static final int NO_SID = -1;
  private static final long PACING_MILLIS = 32;
  private static final long ASK_MILLIS = 1_000;

  /** The time from an answer to the next question, which finds a restarted radio. */
  private static final long ASK_AGAIN_MILLIS = 30_000;

  private static final long DEAD_MILLIS = 40_000;

  /** Far more than the duration of eight transmissions with backoff. */
  private static final long REPORT_MILLIS = 2_000;

  /** Receives the radio's messages. Called under the line's lock. */
  public interface Listener {
    /** The radio answered with its address and is ready. */
    void ready(Eui64 eui64);

    /** A received 802.15.4 frame without FCS. */
    void frame(byte[] psdu);

    /** A line of the radio's log. */
    void text(String line);

    /** A SLIP frame of unknown kind. */
    void malformed();

    /** The line is down. */
    void lost();
  }

  /** Receives the outcome of one transmission. */
  @FunctionalInterface
  public interface SendCallback {
    /**
     * Takes status and transmissions as reported by the radio; status -1 means that no report came.
     */
    void report(int status, int transmissions);
  }

  private record Outgoing(byte[] psdu, SendCallback callback) {}

  private record Outstanding(SendCallback callback, long since) {}

  private final int panId;
  private final int channel;
  private final Listener listener;
  private final Deque<Outgoing> queue = new ArrayDeque<>();
  private final Deque<byte[]> commands = new ArrayDeque<>();
  private final Map<Integer, Outstanding> outstanding = new LinkedHashMap<>();
  private @Nullable Eui64 address;
  private long askAt;
  private long sentAt;
  private long heardAt;
  private int nextSid;

  /** The number of the frame that was sent last; {@link #NO_SID} if it was a command. */
  private int lastSid = NO_SID;

  /** Makes a session that is not connected. */
  public SlipRadioSession(int panId, int channel, Listener listener) {
    this.panId = panId;
    this.channel = channel;
    this.listener = listener;
  }

  /** Queues a frame; false if the radio is not ready or the queue is full. */
  public boolean submit(byte[] psdu, SendCallback callback) {
    if (address == null || queue.size() >= MAX_QUEUE) {
      return false;
    }
    queue.addLast(new Outgoing(psdu, callback));
    return true;
  }

  @Override
  public void connected(long nowMillis) {
    reset();
    askAt = nowMillis;
    heardAt = nowMillis;
    sentAt = nowMillis - PACING_MILLIS;
  }

  @Override
  public void received(byte[] frame, long nowMillis) {
    heardAt = nowMillis;
    try {
      switch (SlipRadioMessage.parse(frame)) {
        case SlipRadioMessage.Address(Eui64 eui64) -> ready(eui64, nowMillis);
        case SlipRadioMessage.Report report -> reported(report, nowMillis);
        case SlipRadioMessage.Parameter parameter -> {}
        case SlipRadioMessage.Text(String text) -> listener.text(text);
        case SlipRadioMessage.Received(byte[] psdu) -> {
          // Without the radio's address the bridge could not answer.
          if (address != null) {
            listener.frame(psdu);
          }
        }
      }
    } catch (WireException e) {
      listener.malformed();
    }
  }

  /** A restarted radio has lost its parameters, so they are set again after each answer. */
  private void ready(Eui64 eui64, long nowMillis) {
    boolean isNew = !eui64.equals(address);
    address = eui64;
    askAt = nowMillis + ASK_AGAIN_MILLIS;
    commands.clear();
    commands.add(SlipRadioMessage.set(SlipRadioMessage.PARAMETER_CHANNEL, channel));
    commands.add(SlipRadioMessage.set(SlipRadioMessage.PARAMETER_PAN_ID, panId));
    if (isNew) {
      listener.ready(eui64);
    }
  }

  private void reported(SlipRadioMessage.Report report, long nowMillis) {
    Outstanding frame = outstanding.remove(report.sid());
    if (frame != null) {
      if (report.sid() == lastSid) {
        sentAt = nowMillis - PACING_MILLIS;
      }
      frame.callback().report(report.status(), report.transmissions());
    }
  }

  @Override
  public byte @Nullable [] next(long nowMillis) {
    expireUnreported(nowMillis);
    if (nowMillis - sentAt < PACING_MILLIS) {
      return null;
    }
    if (nowMillis >= askAt) {
      askAt = nowMillis + ASK_MILLIS;
      sentAt = nowMillis;
      lastSid = NO_SID;
      return SlipRadioMessage.askAddress();
    }
    if (!commands.isEmpty()) {
      sentAt = nowMillis;
      lastSid = NO_SID;
      return commands.removeFirst();
    }
    if (queue.isEmpty() || outstanding.size() >= MAX_OUTSTANDING) {
      return null;
    }
    Outgoing frame = queue.removeFirst();
    sentAt = nowMillis;
    lastSid = freeSid();
    outstanding.put(lastSid, new Outstanding(frame.callback(), nowMillis));
    return SlipRadioMessage.send(lastSid, frame.psdu());
  }

  private int freeSid() {
    do {
      nextSid = (nextSid + 1) % SIDS;
    } while (outstanding.containsKey(nextSid));
    return nextSid;
  }

  private void expireUnreported(long nowMillis) {
    for (Iterator<Outstanding> it = outstanding.values().iterator(); it.hasNext(); ) {
      Outstanding frame = it.next();
      if (nowMillis - frame.since() < REPORT_MILLIS) {
        return;
      }
      it.remove();
      frame.callback().report(-1, 0);
    }
  }

  @Override
  public long deadline() {
    long deadline = Math.max(askAt, sentAt + PACING_MILLIS);
    if (!commands.isEmpty() || (!queue.isEmpty() && outstanding.size() < MAX_OUTSTANDING)) {
      deadline = Math.min(deadline, sentAt + PACING_MILLIS);
    }
    if (!outstanding.isEmpty()) {
      long oldest = outstanding.values().iterator().next().since();
      deadline = Math.min(deadline, oldest + REPORT_MILLIS);
    }
    return deadline;
  }

  @Override
  public boolean isDead(long nowMillis) {
    return nowMillis - heardAt >= DEAD_MILLIS;
  }

  @Override
  public void disconnected() {
    reset();
    listener.lost();
  }

  private void reset() {
    address = null;
    commands.clear();
    outstanding.values().forEach(frame -> frame.callback().report(-1, 0));
    outstanding.clear();
    queue.forEach(frame -> frame.callback().report(-1, 0));
    queue.clear();
  }
}
