package dev.vigil.border.ipv6;

/** Protocol numbers of IPv6's next header fields. */
public final class Protocol {
  public static final int HOP_BY_HOP = 0;
  public static final int TCP = 6;
  public static final int UDP = 17;
  public static final int IPV6 = 41;
  public static final int ROUTING = 43;
  public static final int FRAGMENT = 44;
  public static final int ESP = 50;
  public static final int AH = 51;
  public static final int ICMPV6 = 58;
  public static final int NO_NEXT_HEADER = 59;
  public static final int DESTINATION_OPTIONS = 60;
  public static final int MOBILITY = 135;

  private Protocol() {}
}
