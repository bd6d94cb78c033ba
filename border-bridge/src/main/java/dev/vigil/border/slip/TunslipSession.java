package dev.vigil.border.slip;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.wire.WireException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The host's side of tunslip6: whole IPv6 packets over SLIP to a board that runs rpl-border-router
 * and implements 6LoWPAN and RPL itself.
 *
 * <p>States: asking (from {@code connected} on: asks for the board's address every two seconds);
 * ready (the address came; asks again after 30 s of silence); dead (silent for 40 s). The board's
 * address leads from asking to ready, {@code connected} from all states to asking. Packets flow in
 * both states. The board asks for its prefix when it starts, and keeps its radio off until it has a
 * prefix.
 */
public final class TunslipSession implements SlipSession {
  private static final int MAX_QUEUE = 64;
  private static final long ASK_MILLIS = 2_000;

  /** The silence after which the board is asked for its address again. */
  private static final long QUIET_MILLIS = 30_000;

  private static final long DEAD_MILLIS = 40_000;

  /** Receives the board's messages. Called under the line's lock. */
  public interface Listener {
    /** The board answered with its radio address. */
    void ready(Eui64 eui64);

    /** An IPv6 packet, not yet parsed. */
    void packet(byte[] ipv6);

    /** A line of the board's log. */
    void text(String line);

    /** A SLIP frame of unknown kind. */
    void malformed();
  }

  private final long prefix;
  private final Listener listener;
  private final Deque<byte[]> queue = new ArrayDeque<>();
  private boolean connected;
  private @Nullable Eui64 address;
  private long askAt = Long.MAX_VALUE;
  private long heardAt;

  /**
   * Makes a session that is not connected.
   *
   * @param prefix the mesh prefix, its 64 bits as one big-endian number
   */
  public TunslipSession(long prefix, Listener listener) {
    this.prefix = prefix;
    this.listener = listener;
  }

  /** Queues a packet; false if the line is down or the queue is full. */
  public boolean submit(byte[] ipv6) {
    return connected && queue.size() < MAX_QUEUE && queue.add(ipv6);
  }

  @Override
  public void connected(long nowMillis) {
    disconnected();
    connected = true;
    askAt = nowMillis;
    heardAt = nowMillis;
  }

  @Override
  public void received(byte[] frame, long nowMillis) {
    heardAt = nowMillis;
    if (address != null) {
      askAt = nowMillis + QUIET_MILLIS;
    }
    try {
      switch (TunslipMessage.parse(frame)) {
        case TunslipMessage.Packet(byte[] ipv6) -> listener.packet(ipv6);
        case TunslipMessage.PrefixRequest() -> queue.addFirst(TunslipMessage.prefix(prefix));
        case TunslipMessage.Address(Eui64 eui64) -> ready(eui64, nowMillis);
        case TunslipMessage.Text(String text) -> listener.text(text);
      }
    } catch (WireException e) {
      listener.malformed();
    }
  }

  private void ready(Eui64 eui64, long nowMillis) {
    boolean isNew = !eui64.equals(address);
    address = eui64;
    askAt = nowMillis + QUIET_MILLIS;
    if (isNew) {
      listener.ready(eui64);
    }
  }

  @Override
  public byte @Nullable [] next(long nowMillis) {
    if (nowMillis >= askAt) {
      askAt = nowMillis + ASK_MILLIS;
      return TunslipMessage.askAddress();
    }
    return queue.pollFirst();
  }

  @Override
  public long deadline() {
    return askAt;
  }

  @Override
  public boolean isDead(long nowMillis) {
    return connected && nowMillis - heardAt >= DEAD_MILLIS;
  }

  @Override
  public void disconnected() {
    connected = false;
    address = null;
    askAt = Long.MAX_VALUE;
    queue.clear();
  }
}
