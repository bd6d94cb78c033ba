package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Ipv6Address;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The conversations that are going on, each until it was silent for five minutes: a CoAP exchange
 * lasts 247 s (RFC 7252, section 4.8.2), a UDP mapping of RFC 4787 at least 120.
 *
 * <p>Bounded in all and for each mote, so that none takes another's place by talking much; the one
 * that was silent longest goes first.
 */
final class Conversations {
  static final long SILENCE_MILLIS = 300_000;

  private final int most;
  private final int mostOfOne;
  private int size;

  private final Map<Ipv6Address, Map<Conversation, Long>> byMote =
      new LinkedHashMap<>(16, 0.75f, true);

  Conversations(int most, int mostOfOne) {
    this.most = most;
    this.mostOfOne = mostOfOne;
  }

  /** Whether it is going on. */
  boolean isKnown(Conversation conversation, long nowMillis) {
    Map<Conversation, Long> own = byMote.get(conversation.mote());
    Long last = own == null ? null : own.get(conversation);
    return last != null && nowMillis - last < SILENCE_MILLIS;
  }

  /** It begins, or goes on. */
  void heard(Conversation conversation, long nowMillis) {
    Map<Conversation, Long> own =
        byMote.computeIfAbsent(conversation.mote(), mote -> new LinkedHashMap<>(4, 0.75f, true));
    if (own.put(conversation, nowMillis) == null) {
      size++;
      if (own.size() > mostOfOne) {
        removeEldest(own);
      } else if (size > most) {
        Iterator<Map<Conversation, Long>> silent = byMote.values().iterator();
        Map<Conversation, Long> eldest = silent.next();
        removeEldest(eldest);
        if (eldest.isEmpty()) {
          silent.remove();
        }
      }
    }
  }

  private void removeEldest(Map<Conversation, Long> own) {
    Iterator<Conversation> eldest = own.keySet().iterator();
    eldest.next();
    eldest.remove();
    size--;
  }

  int size() {
    return size;
  }
}
