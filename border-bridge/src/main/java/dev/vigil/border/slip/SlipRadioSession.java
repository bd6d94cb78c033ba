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
 * Drives a slip-radio.
 *
 * <p>States: asking (after {@code connected}: asks for the address every second); ready (the
 * address came: frames flow); dead (nothing was heard for long, although asked). The radio's answer
 * leads from asking to ready, {@code connected} from everywhere to asking.
 *
 * <p>Bounds of the radio: 16 frames outstanding; a frame lost when SLIP frames follow one another
 * too fast. So the next one waits for the report of the one before, or 32 ms.
 */
public final class SlipRadioSession implements SlipSession {
  /** What the radio can keep track of. */
  static final int MAX_OUTSTANDING = 16;

  private static final int MAX_QUEUE = 64;
  private static final int SIDS = 128;
  private static final long PACING_MILLIS = 32;
  private static final long ASK_MILLIS = 1_000;
  private static final long QUIET_MILLIS = 30_000;
  private static final long DEAD_MILLIS = 40_000;

  /** Eight transmissions with backoff take far less. */
  private static final long REPORT_MILLIS = 2_000;

  /** Hears what the radio says. */
  public interface Listener {
    /** The radio answered and is usable. */
    void ready(Eui64 eui64);

    /** A frame from the air. */
    void frame(byte[] psdu);

    /** A line of text, for the log. */
    void text(String line);

    /** A frame of the line that is none of these. */
    void malformed();

    /** The line is gone, and the radio with it. */
    void lost();
  }

  /** Hears what became of one frame. */
  @FunctionalInterface
  public interface Done {
    /** Status and transmissions as the radio reports them; status -1: it never did. */
    void report(int status, int transmissions);
  }

  private record Outgoing(byte[] psdu, Done done) {}

  private record Outstanding(Done done, long since) {}

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

  /** Makes a session that waits for its line. */
  public SlipRadioSession(int panId, int channel, Listener listener) {
    this.panId = panId;
    this.channel = channel;
    this.listener = listener;
  }

  /** Queues a frame; false if the radio is not ready or too many wait. */
  public boolean submit(byte[] psdu, Done done) {
    if (address == null || queue.size() >= MAX_QUEUE) {
      return false;
    }
    queue.addLast(new Outgoing(psdu, done));
    return true;
  }

  @Override
  public void connected(long nowMillis) {
    forget();
    askAt = nowMillis;
    heardAt = nowMillis;
    sentAt = nowMillis - PACING_MILLIS;
  }

  @Override
  public void received(byte[] frame, long nowMillis) {
    heardAt = nowMillis;
    if (address != null) {
      askAt = nowMillis + QUIET_MILLIS;
    }
    try {
      switch (SlipRadioMessage.parse(frame)) {
        case SlipRadioMessage.Address(Eui64 eui64) -> ready(eui64, nowMillis);
        case SlipRadioMessage.Report report -> reported(report);
        case SlipRadioMessage.Parameter parameter -> {}
        case SlipRadioMessage.Text(String text) -> listener.text(text);
        case SlipRadioMessage.Received(byte[] psdu) -> {
          // Before the radio's address is known, nobody can answer.
          if (address != null) {
            listener.frame(psdu);
          }
        }
      }
    } catch (WireException e) {
      listener.malformed();
    }
  }

  /** A radio that restarted has forgotten its parameters, so each answer sets them again. */
  private void ready(Eui64 eui64, long nowMillis) {
    boolean isNew = !eui64.equals(address);
    address = eui64;
    askAt = nowMillis + QUIET_MILLIS;
    commands.clear();
    commands.add(SlipRadioMessage.set(SlipRadioMessage.PARAMETER_CHANNEL, channel));
    commands.add(SlipRadioMessage.set(SlipRadioMessage.PARAMETER_PAN_ID, panId));
    if (isNew) {
      listener.ready(eui64);
    }
  }

  private void reported(SlipRadioMessage.Report report) {
    Outstanding frame = outstanding.remove(report.sid());
    if (frame != null) {
      frame.done().report(report.status(), report.transmissions());
    }
  }

  @Override
  public byte @Nullable [] next(long nowMillis) {
    giveUpUnreported(nowMillis);
    boolean paced = nowMillis - sentAt >= PACING_MILLIS;
    if (nowMillis >= askAt) {
      askAt = nowMillis + ASK_MILLIS;
      sentAt = nowMillis;
      return SlipRadioMessage.askAddress();
    }
    if (!commands.isEmpty()) {
      if (!paced) {
        return null;
      }
      sentAt = nowMillis;
      return commands.removeFirst();
    }
    boolean room = outstanding.isEmpty() || (paced && outstanding.size() < MAX_OUTSTANDING);
    if (queue.isEmpty() || !room) {
      return null;
    }
    Outgoing frame = queue.removeFirst();
    sentAt = nowMillis;
    int sid = freeSid();
    outstanding.put(sid, new Outstanding(frame.done(), nowMillis));
    return SlipRadioMessage.send(sid, frame.psdu());
  }

  private int freeSid() {
    do {
      nextSid = (nextSid + 1) % SIDS;
    } while (outstanding.containsKey(nextSid));
    return nextSid;
  }

  private void giveUpUnreported(long nowMillis) {
    for (Iterator<Outstanding> it = outstanding.values().iterator(); it.hasNext(); ) {
      Outstanding frame = it.next();
      if (nowMillis - frame.since() < REPORT_MILLIS) {
        return;
      }
      it.remove();
      frame.done().report(-1, 0);
    }
  }

  @Override
  public long deadline() {
    long deadline = askAt;
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
    forget();
    listener.lost();
  }

  private void forget() {
    address = null;
    commands.clear();
    outstanding.values().forEach(frame -> frame.done().report(-1, 0));
    outstanding.clear();
    queue.forEach(frame -> frame.done().report(-1, 0));
    queue.clear();
  }
}
