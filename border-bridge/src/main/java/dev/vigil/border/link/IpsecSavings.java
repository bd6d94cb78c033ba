package dev.vigil.border.link;

import dev.vigil.border.capture.Direction;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.sixlowpan.IpsecSaving;
import dev.vigil.border.wire.WireException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Reports the octets that compressed AH and ESP headers save; runs on the pipeline thread. */
public final class IpsecSavings {
  private final List<SavingListener> listeners = new CopyOnWriteArrayList<>();

  public void addListener(SavingListener listener) {
    listeners.add(listener);
  }

  /** Does nothing for a packet without compressed AH or ESP. */
  void saved(Direction direction, byte[] ipv6, IpsecSaving saving) throws WireException {
    if (saving.compressed() && !listeners.isEmpty()) {
      Ipv6Packet packet = Ipv6Packet.parse(ipv6);
      listeners.forEach(listener -> listener.saved(direction, packet, saving.octets()));
    }
  }
}
