package dev.vigil.gateway.month;

import dev.vigil.border.host.Host;
import dev.vigil.border.host.UdpDatagram;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.wire.WireException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client without credentials in the mesh that observes resources (RFC 7641), and never loses a
 * packet.
 */
final class ObservingReader {
  static final Ipv6Address ADDRESS = SimulatedGateway.address(99);
  private static final int PORT = 5683;
  private static final int CONTENT = 0x45;
  private static final int CONFIRMABLE_GET = 0x44;
  private static final int GET = 1;
  private static final int ACKNOWLEDGEMENT = 0x60;
  private static final int OBSERVE_OPTION = 6;
  private static final int OBSERVE = OBSERVE_OPTION << 4;
  private static final int PATH_AFTER_OBSERVE = 5 << 4;
  private static final int LONG = 13;
  private static final int TOKEN = 4;
  private static final int HEADER = 4;
  private static final Pattern NUMBER = Pattern.compile("\"seq\":(\\d+)");

  private final List<Response> responses = new ArrayList<>();
  private int requests;

  /**
   * A response, or a notification.
   *
   * @param request the number of the request that it answers
   * @param observed whether notifications follow
   * @param seq the number of the update that is its content; 0 if it is none
   */
  record Response(int request, int code, boolean observed, long seq) {
    boolean hasContent() {
      return code == CONTENT;
    }
  }

  /** The packet of a request to observe a path, whose number is {@link #lastRequest}. */
  byte[] observe(List<String> path) {
    ByteBuffer head = ByteBuffer.allocate(HEADER + TOKEN);
    requests++;
    head.put((byte) CONFIRMABLE_GET).put((byte) GET).putShort((short) requests).putInt(requests);
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.writeBytes(head.array());
    message.write(OBSERVE);
    int delta = PATH_AFTER_OBSERVE;
    for (String segment : path) {
      byte[] octets = segment.getBytes(StandardCharsets.UTF_8);
      message.write(delta | Math.min(octets.length, LONG));
      if (octets.length >= LONG) {
        message.write(octets.length - LONG);
      }
      message.writeBytes(octets);
      delta = 0;
    }
    return packet(message.toByteArray());
  }

  int lastRequest() {
    return requests;
  }

  /** Takes a packet for this reader, and returns its acknowledgement if one is due. */
  Optional<byte[]> take(byte[] octets) {
    try {
      Ipv6Packet packet = Ipv6Packet.parse(octets);
      byte[] message = Udp.parse(packet.payload(), packet.source(), packet.destination()).payload();
      if (message.length < HEADER + TOKEN) {
        return Optional.empty();
      }
      int request = ByteBuffer.wrap(message).getInt(HEADER);
      boolean observed = CoapPeek.hasOption(message, OBSERVE_OPTION);
      responses.add(new Response(request, message[1] & 0xff, observed, seq(message)));
      boolean confirmable = (message[0] >> 4 & 3) == 0;
      byte[] acknowledgement = {ACKNOWLEDGEMENT, 0, message[2], message[3]};
      return confirmable ? Optional.of(packet(acknowledgement)) : Optional.empty();
    } catch (WireException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The number in the protected header of the content. */
  private static long seq(byte[] message) {
    String text = new String(message, StandardCharsets.ISO_8859_1);
    int begin = text.indexOf("eyJ");
    int end = text.indexOf('.', Math.max(begin, 0));
    if (begin < 0 || end < 0) {
      return 0;
    }
    byte[] header = Base64.getUrlDecoder().decode(text.substring(begin, end));
    Matcher number = NUMBER.matcher(new String(header, StandardCharsets.UTF_8));
    return number.find() ? Long.parseLong(number.group(1)) : 0;
  }

  /** The responses since the last call. */
  List<Response> takeResponses() {
    List<Response> taken = List.copyOf(responses);
    responses.clear();
    return taken;
  }

  private static byte[] packet(byte[] message) {
    return Host.packet(new UdpDatagram(ADDRESS, PORT, SimulatedGateway.GATEWAY, PORT, message))
        .encode();
  }
}
