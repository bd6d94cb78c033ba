package dev.vigil.gateway.month;

import dev.vigil.border.host.UdpDatagram;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The fields of a CoAP message that the month reads.
 *
 * @param code class and detail
 * @param noResponse whether its sender wants no response (RFC 7967)
 */
record CoapPeek(Ipv6Address source, int id, int code, boolean confirmable, boolean noResponse) {
  private static final int NO_RESPONSE = 258;
  private static final int PAYLOAD_MARKER = 0xff;
  private static final int HEADER = 4;
  private static final int POST = 2;
  private static final int CONTENT = 0x45;
  private static final int NOT_FOUND = 0x84;
  private static final int OVERLOADED = 0xa3;

  /** The option with 30 s. */
  private static final byte[] MAX_AGE = {(byte) 0xd1, 1, 30};

  /** The beginning of a protected header, in base64url. */
  private static final String JWS = "eyJhbGciOi";

  boolean isRequest() {
    return code > 0 && code < 32;
  }

  /** Whether it only acknowledges or rejects another message (RFC 7252 section 4.1). */
  boolean isEmpty() {
    return code == 0;
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

  /** Whether a datagram is a request. */
  static boolean isRequest(byte[] message) {
    return message.length >= HEADER && message[1] > 0 && message[1] < 32;
  }

  boolean isRegistration() {
    return code == POST;
  }

  /** The message in a packet; empty if it is protected, or something else. */
  static Optional<CoapPeek> of(byte[] octets) {
    try {
      Ipv6Packet packet = Ipv6Packet.parse(octets);
      if (packet.protocol() != Protocol.UDP) {
        return Optional.empty();
      }
      Udp udp = Udp.parse(packet.payload(), packet.source(), packet.destination());
      return udp.payload().length < HEADER
          ? Optional.empty()
          : Optional.of(
              of(
                  new UdpDatagram(
                      packet.source(),
                      udp.sourcePort(),
                      packet.destination(),
                      udp.destinationPort(),
                      udp.payload())));
    } catch (WireException e) {
      return Optional.empty();
    }
  }

  /** Whether a datagram of the gateway's is content that somebody signed, as commands are. */
  static boolean isSignedContent(byte[] message) {
    if (message.length < HEADER || (message[1] & 0xff) != CONTENT) {
      return false;
    }
    String text = new String(message, StandardCharsets.ISO_8859_1);
    return text.contains(JWS);
  }

  /** The answer 5.03 with Max-Age in place of another one. */
  static byte[] overloaded(byte[] message) {
    byte[] head = head(message, OVERLOADED);
    byte[] answer = Arrays.copyOf(head, head.length + MAX_AGE.length);
    System.arraycopy(MAX_AGE, 0, answer, head.length, MAX_AGE.length);
    return answer;
  }

  /** The answer 4.04 in place of another one. */
  static byte[] notFound(byte[] message) {
    return head(message, NOT_FOUND);
  }

  private static byte[] head(byte[] message, int code) {
    byte[] head = Arrays.copyOf(message, HEADER + (message[0] & 0xf));
    head[1] = (byte) code;
    return head;
  }

  static boolean hasOption(byte[] message, int wanted) {
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
