package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Protocol;
import java.util.List;

/**
 * Which packets may start a conversation between the mesh and the world. The first rule that fits
 * decides; what no rule names is dropped. Answers need no rule: {@link Gate} knows them. A part of
 * a packet (RFC 8200, section 4.5) fits every rule that denies.
 */
public record PacketFilter(List<Rule> rules) {
  private static final int COAP = 5683;
  private static final int COAPS = 5684;

  /** Which way a packet goes, or a rule looks. */
  public enum Way {
    /** From the world to the mesh. */
    IN,
    /** From the mesh to the world. */
    OUT,
    /** Both; of rules only. */
    BOTH
  }

  /**
   * A prefix, everything with {@link #EVERYWHERE}.
   *
   * @param length 0 to 128 bits
   */
  public record Prefix(Ipv6Address address, int length) {
    /** All addresses. */
    public static final Prefix EVERYWHERE = new Prefix(Ipv6Address.UNSPECIFIED, 0);

    boolean holds(Ipv6Address other) {
      return other.startsWith(address, length);
    }
  }

  /** One rule. Source and destination are the packet's. */
  public record Rule(boolean allow, Way way, Traffic traffic, Prefix source, Prefix destination) {
    /** Lets traffic pass one way or both, whoever it is between. */
    public static Rule allow(Way way, Traffic traffic) {
      return new Rule(true, way, traffic, Prefix.EVERYWHERE, Prefix.EVERYWHERE);
    }

    /**
     * A rule in words: {@code allow|deny in|out|both TRAFFIC [from PREFIX] [to PREFIX]}.
     *
     * <p>TRAFFIC is {@code any}, {@code echo} (echo requests), {@code esp}, {@code ah}, {@code udp}
     * or {@code tcp} with a destination port or range behind it or none, or a protocol number. For
     * instance {@code allow in udp 5683-5684 from 2001:db8::/32}.
     *
     * @throws IllegalArgumentException naming the word that is wrong
     */
    public static Rule of(String line) {
      return FilterText.parse(line);
    }

    /** What a part of a packet carries cannot be seen; it may be whatever is denied. */
    boolean fits(Way direction, Traffic.Seen seen, Ipv6Address from, Ipv6Address to) {
      boolean hidden = seen.protocol() == Protocol.FRAGMENT;
      return (way == Way.BOTH || way == direction)
          && (traffic.holds(seen) || (hidden && !allow))
          && source.holds(from)
          && destination.holds(to);
    }
  }

  /**
   * What motes may be sent unasked: CoAP and CoAPS, ESP and AH, echo requests. What they may start:
   * UDP, ESP, AH, echo requests.
   */
  public static final PacketFilter USUAL =
      new PacketFilter(
          List.of(
              Rule.allow(Way.IN, Traffic.udp(COAP, COAPS)),
              Rule.allow(Way.OUT, Traffic.UDP),
              Rule.allow(Way.BOTH, Traffic.ESP),
              Rule.allow(Way.BOTH, Traffic.AH),
              Rule.allow(Way.BOTH, Traffic.ECHO)));

  /** Copies the rules. */
  public PacketFilter {
    rules = List.copyOf(rules);
  }

  /** These rules, or {@link #USUAL} where there are none. */
  public static PacketFilter of(List<Rule> rules) {
    return rules.isEmpty() ? USUAL : new PacketFilter(rules);
  }

  boolean allows(Way way, Traffic.Seen seen, Ipv6Address from, Ipv6Address to) {
    for (Rule rule : rules) {
      if (rule.fits(way, seen, from, to)) {
        return rule.allow();
      }
    }
    return false;
  }
}
