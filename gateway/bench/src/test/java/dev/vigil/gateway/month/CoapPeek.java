package dev.vigil.gateway.month;

import dev.vigil.border.host.UdpDatagram;
import dev.vigil.border.ipv6.Ipv6Address;

/**
 * What the month has to know of a CoAP message.
 *
 * @param code class and detail
 * @param noResponse whether its sender wants no response (RFC 7967)
 */
record CoapPeek(Ipv6Address source, int id, int code, boolean confirmable, boolean noResponse) {
  private static final int NO_RESPONSE = 258;
  private static final int PAYLOAD_MARKER = 0xff;
  private static final int HEADER = 4;

  boolean isRequest() {
    return code > 0 && code < 32;
  }

  static CoapPeek of(UdpDatagram datagram) {
    byte[] message = datagram.payload();
    return new CoapPeek(
        datagram.source(),
        (message[2] & 0xff) << 8 | message[3] & 0xff,
        message[1] & 0xff,
        (message[0] >> 4 & 3) == 0,
        hasOption(message, NO_RESPONSE));
  }

  private static boolean hasOption(byte[] message, int wanted) {
    int at = HEADER + (message[0] & 0xf);
    int number = 0;
    while (at < message.length && (message[at] & 0xff) != PAYLOAD_MARKER) {
      int head = message[at++] & 0xff;
      int delta = head >> 4;
      int length = head & 0xf;
      if (delta == 13) {
        delta = 13 + (message[at++] & 0xff);
      } else if (delta == 14) {
        delta = 269 + ((message[at] & 0xff) << 8 | message[at + 1] & 0xff);
        at += 2;
      }
      if (length == 13) {
        length = 13 + (message[at++] & 0xff);
      } else if (length == 14) {
        length = 269 + ((message[at] & 0xff) << 8 | message[at + 1] & 0xff);
        at += 2;
      }
      number += delta;
      if (number == wanted) {
        return true;
      }
      at += length;
    }
    return false;
  }
}
