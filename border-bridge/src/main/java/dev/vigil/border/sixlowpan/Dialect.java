package dev.vigil.border.sixlowpan;

/**
 * Which headers behind the IPv6 header a neighbour can decompress; what it cannot goes inline. It
 * limits only what is sent: everything is read from everybody.
 */
public enum Dialect {
  /** UDP alone: a Linux node, which drops compressed extension headers. */
  UDP(true, false, false, false),
  /** UDP and the extension headers that an unmodified Contiki-NG knows. */
  CONTIKI_NG(true, true, false, false),
  /** Also AH and ESP: our motes. */
  IPSEC(true, true, true, false),
  /** All of RFC 6282 too: fragment and mobility headers, IPv6 in IPv6. */
  COMPLETE(true, true, true, true);

  private final boolean udp;
  private final boolean extensions;
  private final boolean ipsec;
  private final boolean rare;

  Dialect(boolean udp, boolean extensions, boolean ipsec, boolean rare) {
    this.udp = udp;
    this.extensions = extensions;
    this.ipsec = ipsec;
    this.rare = rare;
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

  boolean rare() {
    return rare;
  }
}
