package dev.vigil.border.slip;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The host's side of tunslip6 (Contiki-NG's {@code tunslip6.c}): whole IPv6 packets over SLIP to a
 * board that runs rpl-border-router and ends 6LoWPAN and RPL itself.
 *
 * <p>States: asking (after {@code connected}: asks for the board's address every two seconds);
 * ready (it answered). Packets flow in both. The board asks for its prefix when it starts, and
 * keeps its radio off until it is answered.
 */
public final class TunslipSession implements SlipSession {
  private static final int MAX_QUEUE = 64;
  private static final long ASK_MILLIS = 2_000;
  private static final int IPV6_VERSION = 6;

  /** Hears what the board says. */
  public interface Listener {
    /** The board's radio address. */
    void ready(Eui64 eui64);

    /** A whole IPv6 packet. */
    void packet(byte[] ipv6);

    /** A line of text, for the log. */
    void text(String line);

    /** A frame of the line that is none of these. */
    void malformed();
  }

  private final long prefix;
  private final Listener listener;
  private final Deque<byte[]> queue = new ArrayDeque<>();
  private boolean connected;
  private long askAt = Long.MAX_VALUE;

  /**
   * Makes a session that waits for its line.
   *
   * @param prefix the mesh prefix, its 64 bits as one big-endian number
   */
  public TunslipSession(long prefix, Listener listener) {
    this.prefix = prefix;
    this.listener = listener;
  }

  /** Queues a packet; false if the line is away or too many wait. */
  public boolean submit(byte[] ipv6) {
    return connected && queue.size() < MAX_QUEUE && queue.add(ipv6);
  }

  @Override
  public void connected(long nowMillis) {
    disconnected();
    connected = true;
    askAt = nowMillis;
  }

  @Override
  public void received(byte[] frame, long nowMillis) {
    if (frame[0] >> 4 == IPV6_VERSION && frame.length >= 40) {
      listener.packet(frame);
    } else if (frame.length == 2 && frame[0] == '?' && frame[1] == 'P') {
      queue.addFirst(new WireWriter(10).u8('!').u8('P').u64(prefix).toBytes());
    } else if (frame.length == 18 && frame[0] == '!' && frame[1] == 'M') {
      address(new String(frame, 2, 16, StandardCharsets.US_ASCII));
    } else if (isText(frame)) {
      listener.text(new String(frame, StandardCharsets.US_ASCII).strip());
    } else {
      listener.malformed();
    }
  }

  private void address(String hex) {
    try {
      Eui64 eui64 = Eui64.parse(hex);
      askAt = Long.MAX_VALUE;
      listener.ready(eui64);
    } catch (WireException e) {
      listener.malformed();
    }
  }

  private static boolean isText(byte[] frame) {
    return frame[0] == '\r' || new String(frame, StandardCharsets.US_ASCII).matches("[ -~\\s]*");
  }

  @Override
  public byte @Nullable [] next(long nowMillis) {
    if (nowMillis >= askAt) {
      askAt = nowMillis + ASK_MILLIS;
      return SlipRadioMessage.askAddress();
    }
    return queue.pollFirst();
  }

  @Override
  public long deadline() {
    return askAt;
  }

  @Override
  public boolean isDead(long nowMillis) {
    return false;
  }

  @Override
  public void disconnected() {
    connected = false;
    askAt = Long.MAX_VALUE;
    queue.clear();
  }
}
