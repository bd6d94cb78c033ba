package dev.vigil.border.ieee802154;

/**
 * The PAN ids that a header contains, by version, addressing modes and compression bit
 * (802.15.4-2006, section 7.2.1.1.5; 802.15.4-2015, table 7-2).
 */
record PanIds(boolean destination, boolean source) {
  private static final PanIds BOTH = new PanIds(true, true);
  private static final PanIds DESTINATION = new PanIds(true, false);
  private static final PanIds SOURCE = new PanIds(false, true);
  private static final PanIds NEITHER = new PanIds(false, false);

  static PanIds present(FrameControl control, LinkAddress destination, LinkAddress source) {
    boolean to = destination != LinkAddress.NONE;
    boolean from = source != LinkAddress.NONE;
    return control.version() == FrameVersion.V2015
        ? in2015(control.panIdCompression(), destination, source, to, from)
        : in2006(control.panIdCompression(), to, from);
  }

  private static PanIds in2006(boolean compressed, boolean to, boolean from) {
    if (to) {
      return from && !compressed ? BOTH : DESTINATION;
    }
    return from ? SOURCE : NEITHER;
  }

  private static PanIds in2015(
      boolean compressed, LinkAddress destination, LinkAddress source, boolean to, boolean from) {
    if (to && from) {
      boolean bothExtended =
          destination instanceof LinkAddress.Extended && source instanceof LinkAddress.Extended;
      if (bothExtended) {
        return compressed ? NEITHER : DESTINATION;
      }
      return compressed ? DESTINATION : BOTH;
    }
    if (to) {
      return compressed ? NEITHER : DESTINATION;
    }
    if (from) {
      return compressed ? NEITHER : SOURCE;
    }
    return compressed ? DESTINATION : NEITHER;
  }
}
