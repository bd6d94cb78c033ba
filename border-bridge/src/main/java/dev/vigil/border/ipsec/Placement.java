package dev.vigil.border.ipsec;

import dev.vigil.border.ipv6.ExtensionHeader;
import java.util.List;

/**
 * Where a transport mode header stands: behind what nodes on the way look at, before the rest (RFC
 * 4302, section 3.1.1; RFC 4303, section 3.1.1).
 */
final class Placement {
  private Placement() {}

  /** How many of the headers stay before it. */
  static int of(List<ExtensionHeader> headers) {
    int outside = 0;
    for (int i = 0; i < headers.size(); i++) {
      boolean lookedAtOnTheWay =
          switch (headers.get(i)) {
            case ExtensionHeader.HopByHop ignored -> true;
            case ExtensionHeader.Routing ignored -> true;
            case ExtensionHeader.Fragment ignored -> true;
            case ExtensionHeader.DestinationOptions ignored -> false;
            case ExtensionHeader.Mobility ignored -> false;
            case ExtensionHeader.Authentication ignored -> false;
          };
      if (lookedAtOnTheWay) {
        outside = i + 1;
      }
    }
    return outside;
  }
}
