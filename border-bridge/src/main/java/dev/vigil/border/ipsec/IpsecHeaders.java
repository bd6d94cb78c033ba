package dev.vigil.border.ipsec;

import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.wire.WireException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The SPIs of a packet's AH and ESP, read before either is opened. AH does not encrypt, so an ESP
 * inside it is visible too.
 *
 * @param ah the SPI of the first AH; empty without one
 * @param esp the SPI of the ESP; empty without one
 */
public record IpsecHeaders(OptionalInt ah, OptionalInt esp) {
  private static final int SEQUENCE_IN_ESP = 4;

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

  /** The sequence number of the outermost AH or ESP; empty without one. */
  public static OptionalLong outermostSequence(Ipv6Packet packet) throws WireException {
    for (ExtensionHeader header : packet.extensions()) {
      if (header instanceof ExtensionHeader.Authentication ah) {
        return OptionalLong.of(ah.sequence());
      }
    }
    return packet.protocol() == Protocol.ESP
        ? OptionalLong.of(Esp.header(packet).sequence())
        : OptionalLong.empty();
  }

  /** The packet with another sequence number in its outermost AH or ESP, which it must have. */
  public static Ipv6Packet withOutermostSequence(Ipv6Packet packet, long sequence) {
    List<ExtensionHeader> headers = new ArrayList<>(packet.extensions());
    for (int i = 0; i < headers.size(); i++) {
      if (headers.get(i) instanceof ExtensionHeader.Authentication ah) {
        headers.set(
            i, new ExtensionHeader.Authentication(ah.reserved(), ah.spi(), sequence, ah.icv()));
        return packet.withExtensions(headers);
      }
    }
    byte[] esp = packet.payload().clone();
    ByteBuffer.wrap(esp).putInt(SEQUENCE_IN_ESP, (int) sequence);
    return packet.withPayload(Protocol.ESP, esp);
  }

  /** Whether neither AH nor ESP protects the packet. */
  public boolean isClear() {
    return ah.isEmpty() && esp.isEmpty();
  }
}
