package dev.vigil.border.radio;

import dev.vigil.border.ieee802154.Eui64;

/** Receives the events of a radio link. Called on the link's thread; must not block. */
public interface RadioListener {
  /** The radio works and has this address. Called again after each reconnection. */
  void up(RadioLink link, Eui64 eui64);

  /** The radio is down; the link reconnects by itself. */
  void down(RadioLink link);

  /**
   * A frame for this node or a broadcast, without acknowledgements and duplicates.
   *
   * @param psdu MAC header and payload without FCS
   * @param lqi link quality 0 to 255, or -1 if the radio does not report it
   */
  void received(RadioLink link, byte[] psdu, int lqi);

  /**
   * The link dropped received octets, for instance a frame with a wrong FCS or an incomplete frame.
   */
  void dropped(RadioLink link, RadioDrop reason);
}
