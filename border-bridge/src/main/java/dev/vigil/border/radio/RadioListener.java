package dev.vigil.border.radio;

import dev.vigil.border.ieee802154.Eui64;

/** Hears a radio link. Called on the link's thread; must not block. */
public interface RadioListener {
  /** The radio works, and has this address. Comes again after each reconnection. */
  void up(RadioLink link, Eui64 eui64);

  /** The radio went away; the link looks for it again by itself. */
  void down(RadioLink link);

  /**
   * A frame for this node or for everyone; acknowledgements and repetitions are left out.
   *
   * @param psdu MAC header and payload without FCS
   * @param lqi link quality 0 to 255, or -1 where the radio does not say
   */
  void received(RadioLink link, byte[] psdu, int lqi);

  /** Octets that the link could not use: a bad checksum, a torn frame. */
  void dropped(RadioLink link, RadioDrop reason);
}
