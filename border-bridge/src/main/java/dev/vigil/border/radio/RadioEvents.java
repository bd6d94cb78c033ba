package dev.vigil.border.radio;

import dev.vigil.border.ieee802154.Eui64;
import org.jspecify.annotations.Nullable;

/**
 * Passes a link's events to its listener, and drops events until there is a listener. May be called
 * from any thread.
 */
public final class RadioEvents {
  private final RadioLink link;
  private volatile @Nullable RadioListener listener;

  /** Makes an instance without a listener. */
  public RadioEvents(RadioLink link) {
    this.link = link;
  }

  public void setListener(RadioListener newListener) {
    listener = newListener;
  }

  /** As {@link RadioListener#up}. */
  public void up(Eui64 eui64) {
    RadioListener current = listener;
    if (current != null) {
      current.up(link, eui64);
    }
  }

  /** As {@link RadioListener#down}. */
  public void down() {
    RadioListener current = listener;
    if (current != null) {
      current.down(link);
    }
  }

  /** As {@link RadioListener#received}. */
  public void received(byte[] psdu, int lqi) {
    RadioListener current = listener;
    if (current != null) {
      current.received(link, psdu, lqi);
    }
  }

  /** As {@link RadioListener#dropped}. */
  public void dropped(RadioDrop reason) {
    RadioListener current = listener;
    if (current != null) {
      current.dropped(link, reason);
    }
  }
}
