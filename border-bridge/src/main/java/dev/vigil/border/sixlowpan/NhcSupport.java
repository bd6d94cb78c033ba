package dev.vigil.border.sixlowpan;

/**
 * The headers behind the IPv6 header that a neighbour can decompress; others are sent inline.
 * Received headers are decompressed in all forms, from all neighbours.
 */
public enum NhcSupport {
  /** UDP only: Linux, which drops compressed extension headers. */
  UDP(true, false, false, false),
  /** UDP and the extension headers of an unmodified Contiki-NG. */
  CONTIKI_NG(true, true, false, false),
  /** Also AH and ESP: Vigil's mote firmware. */
  IPSEC(true, true, true, false),
  /** Also the other headers of RFC 6282: fragment, mobility, IPv6 in IPv6. */
  COMPLETE(true, true, true, true);

  private final boolean udp;
  private final boolean extensions;
  private final boolean ipsec;
  private final boolean otherHeaders;

  NhcSupport(boolean udp, boolean extensions, boolean ipsec, boolean otherHeaders) {
    this.udp = udp;
    this.extensions = extensions;
    this.ipsec = ipsec;
    this.otherHeaders = otherHeaders;
  }

  /** This with AH and ESP: a neighbour that sends them compressed has all of {@link #IPSEC}. */
  public NhcSupport withIpsec() {
    return ipsec ? this : IPSEC;
  }

  boolean udp() {
    return udp;
  }

  boolean extensions() {
    return extensions;
  }

  boolean ipsec() {
    return ipsec;
  }

  boolean otherHeaders() {
    return otherHeaders;
  }
}
