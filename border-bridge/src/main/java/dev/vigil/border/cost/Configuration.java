package dev.vigil.border.cost;

import dev.vigil.border.ieee802154.SecurityLevel;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The security of a mote's messages.
 *
 * @param level of the link layer, on every hop
 * @param transport between the mote and its peer
 * @param signed whether each message is a compact signed update (docs/protocol.md, section 4.2)
 */
public record Configuration(SecurityLevel level, Transport transport, boolean signed) {
  private static final int COMPACT_HEADER = 3;
  private static final int ES256_SIGNATURE = 64;

  /** Octets that a compact signed update adds to its payload. */
  public static final int SIGNED_OVERHEAD = COMPACT_HEADER + ES256_SIGNATURE;

  /** All configurations except level 4, whose frames can be changed without detection. */
  public static List<Configuration> all() {
    List<Configuration> all = new ArrayList<>();
    for (SecurityLevel level : SecurityLevel.values()) {
      if (level != SecurityLevel.ENC) {
        for (Transport transport : Transport.values()) {
          all.add(new Configuration(level, transport, false));
          all.add(new Configuration(level, transport, true));
        }
      }
    }
    return all;
  }

  /** The needs that this configuration meets. */
  public Set<Need> meets() {
    Set<Need> met = EnumSet.noneOf(Need.class);
    if (level.encrypts() || transport.encrypts()) {
      met.add(Need.CONFIDENTIAL_ON_AIR);
    }
    if (transport.encrypts()) {
      met.add(Need.CONFIDENTIAL_END_TO_END);
    }
    if (level.authenticates()) {
      met.add(Need.AUTHENTIC_ON_AIR);
    }
    if (transport != Transport.NONE || signed) {
      met.add(Need.AUTHENTIC_END_TO_END);
    }
    if (signed) {
      met.add(Need.AUTHENTIC_TO_ANYBODY);
    }
    return met;
  }
}
