package dev.vigil.border.ipsec;

import dev.vigil.border.ipv6.ExtensionHeader;
import java.util.List;

/**
 * The position of AH or ESP in transport mode: after the headers that nodes on the path process
 * (RFC 4302, section 3.1.1; RFC 4303, section 3.1.1).
 */
final class HeaderPosition {
  private HeaderPosition() {}

  /** The number of headers before AH or ESP. */
  static int of(List<ExtensionHeader> headers) {
    int outside = 0;
    for (int i = 0; i < headers.size(); i++) {
      boolean processedOnPath =
          switch (headers.get(i)) {
            case ExtensionHeader.HopByHop ignored -> true;
            case ExtensionHeader.Routing ignored -> true;
            case ExtensionHeader.Fragment ignored -> true;
            case ExtensionHeader.DestinationOptions ignored -> false;
            case ExtensionHeader.Mobility ignored -> false;
            case ExtensionHeader.Authentication ignored -> false;
          };
      if (processedOnPath) {
        outside = i + 1;
      }
    }
    return outside;
  }
}
