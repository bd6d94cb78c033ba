package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;

/** A process without rights that opens a TUN interface and sends one datagram through it. */
final class TunProbe {
  private TunProbe() {}

  /**
   * @param arguments the interface, the kernel's address, the sender's, the kernel's UDP port
   */
  static void main(String[] arguments) throws Exception {
    Ipv6Address kernel = Ipv6Address.parse(arguments[1]);
    Ipv6Address sender = Ipv6Address.parse(arguments[2]);
    byte[] message =
        new Udp(7, Integer.parseInt(arguments[3]), new byte[] {42}).encode(sender, kernel);
    try (TunDevice tun = new TunDevice(arguments[0], kernel, 64, octets -> {})) {
      tun.write(Ipv6Packet.of(sender, kernel, 64, Protocol.UDP, message).encode());
    } catch (java.io.IOException e) {
      System.out.println(e.getMessage());
      System.exit(1);
    }
  }
}
