package dev.vigil.border.ipsec;

import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.wire.WireException;
import java.util.OptionalInt;

/**
 * The SPIs of a packet's AH and ESP, read before either is opened. AH does not encrypt, so an ESP
 * inside it is visible too.
 *
 * @param ah the SPI of the first AH; empty without one
 * @param esp the SPI of the ESP; empty without one
 */
public record IpsecHeaders(OptionalInt ah, OptionalInt esp) {
  /** Reads the headers of a packet. */
  public static IpsecHeaders of(Ipv6Packet packet) throws WireException {
    OptionalInt ah = OptionalInt.empty();
    for (ExtensionHeader header : packet.extensions()) {
      if (header instanceof ExtensionHeader.Authentication authentication) {
        ah = OptionalInt.of(authentication.spi());
        break;
      }
    }
    boolean esp = packet.protocol() == Protocol.ESP;
    return new IpsecHeaders(
        ah, esp ? OptionalInt.of(Esp.header(packet).spi()) : OptionalInt.empty());
  }

  /** Whether neither AH nor ESP protects the packet. */
  public boolean isClear() {
    return ah.isEmpty() && esp.isEmpty();
  }
}
