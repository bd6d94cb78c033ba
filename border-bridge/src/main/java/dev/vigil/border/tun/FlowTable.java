package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Ipv6Address;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The active flows. A flow ends after five minutes of silence: a CoAP exchange lasts 247 s (RFC
 * 7252, section 4.8.2), and a NAT keeps a UDP mapping for at least 120 s (RFC 4787, section 4.3).
 *
 * <p>The table is bounded in total and for each mote, so that a busy mote cannot displace the flows
 * of others. The flow that was silent longest is removed first.
 */
final class FlowTable {
  static final long SILENCE_MILLIS = 300_000;

  private final int capacity;
  private final int capacityPerMote;
  private int size;

  private final Map<Ipv6Address, Map<Flow, Long>> byMote = new LinkedHashMap<>(16, 0.75f, true);

  FlowTable(int capacity, int capacityPerMote) {
    this.capacity = capacity;
    this.capacityPerMote = capacityPerMote;
  }

  boolean isActive(Flow flow, long nowMillis) {
    Map<Flow, Long> flows = byMote.get(flow.mote());
    Long last = flows == null ? null : flows.get(flow);
    return last != null && nowMillis - last < SILENCE_MILLIS;
  }

  /** Records a packet of a flow. The flow may be new. */
  void record(Flow flow, long nowMillis) {
    Map<Flow, Long> flows =
        byMote.computeIfAbsent(flow.mote(), mote -> new LinkedHashMap<>(4, 0.75f, true));
    if (flows.put(flow, nowMillis) == null) {
      size++;
      if (flows.size() > capacityPerMote) {
        removeEldest(flows);
      } else if (size > capacity) {
        Iterator<Map<Flow, Long>> motes = byMote.values().iterator();
        Map<Flow, Long> eldest = motes.next();
        removeEldest(eldest);
        if (eldest.isEmpty()) {
          motes.remove();
        }
      }
    }
  }

  private void removeEldest(Map<Flow, Long> flows) {
    Iterator<Flow> eldest = flows.keySet().iterator();
    eldest.next();
    eldest.remove();
    size--;
  }

  int size() {
    return size;
  }
}
