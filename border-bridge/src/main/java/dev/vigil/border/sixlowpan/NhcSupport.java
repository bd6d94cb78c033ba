package dev.vigil.border.sixlowpan;

/**
 * The headers after the IPv6 header that a neighbour can decompress. Other headers are sent inline.
 * The bridge itself decompresses all forms from all neighbours.
 */
public enum NhcSupport {
  /** UDP only: for Linux, which drops compressed extension headers. */
  UDP(true, false, false, false),
  /** UDP and the extension headers that an unmodified Contiki-NG supports. */
  CONTIKI_NG(true, true, false, false),
  /** Also AH and ESP: for Vigil's mote firmware. */
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

  /**
   * This support plus AH and ESP. A neighbour that sends them compressed supports all of {@link
   * #IPSEC}.
   */
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
