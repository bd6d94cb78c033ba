package dev.vigil.border.radio;

import dev.vigil.border.ieee802154.Eui64;
import org.jspecify.annotations.Nullable;

/** Whoever hears a link: nobody until it is started. May be told from any thread. */
public final class Audience {
  private final RadioLink link;
  private volatile @Nullable RadioListener listener;

  /** Makes an empty one. */
  public Audience(RadioLink link) {
    this.link = link;
  }

  /** From now on the listener hears. */
  public void let(RadioListener hear) {
    listener = hear;
  }

  /** As {@link RadioListener#up}. */
  public void up(Eui64 eui64) {
    RadioListener hears = listener;
    if (hears != null) {
      hears.up(link, eui64);
    }
  }

  /** As {@link RadioListener#down}. */
  public void down() {
    RadioListener hears = listener;
    if (hears != null) {
      hears.down(link);
    }
  }

  /** As {@link RadioListener#received}. */
  public void received(byte[] psdu, int lqi) {
    RadioListener hears = listener;
    if (hears != null) {
      hears.received(link, psdu, lqi);
    }
  }

  /** As {@link RadioListener#dropped}. */
  public void dropped(RadioDrop reason) {
    RadioListener hears = listener;
    if (hears != null) {
      hears.dropped(link, reason);
    }
  }
}
