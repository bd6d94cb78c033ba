package dev.vigil.coap.server;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.eclipse.californium.core.coap.CoAP.Code;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.Message;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.coap.Token;
import org.eclipse.californium.core.network.serialization.UdpDataParser;
import org.eclipse.californium.core.network.serialization.UdpDataSerializer;
import org.eclipse.californium.elements.AddressEndpointContext;

/** A client that sends given messages and never acknowledges automatically. */
final class UdpPeer implements AutoCloseable {
  private final DatagramSocket socket;
  private final InetSocketAddress server;
  private int nextMessageId = 1;

  UdpPeer(InetSocketAddress server) throws IOException {
    this(server, InetAddress.getLoopbackAddress());
  }

  /**
   * @param source the loopback address to send from
   */
  UdpPeer(InetSocketAddress server, InetAddress source) throws IOException {
    this.socket = new DatagramSocket(new InetSocketAddress(source, 0));
    this.server = server;
  }

  InetSocketAddress address() {
    return (InetSocketAddress) socket.getLocalSocketAddress();
  }

  Request request(Code code, Type type, String... path) {
    Request request = new Request(code, type);
    request.setMID(nextMessageId);
    request.setToken(new Token(new byte[] {(byte) nextMessageId}));
    nextMessageId++;
    for (String segment : path) {
      request.getOptions().addUriPath(segment);
    }
    return request;
  }

  Request observe(Type type, String path) {
    Request request = request(Code.GET, type, path);
    request.setObserve();
    return request;
  }

  void send(Request request) throws IOException {
    request.setDestinationContext(new AddressEndpointContext(server));
    sendBytes(new UdpDataSerializer().getByteArray(request));
  }

  void sendBytes(byte[] bytes) throws IOException {
    socket.send(new DatagramPacket(bytes, bytes.length, server));
  }

  /** Sends a separate, confirmable response. */
  void respond(Request request, Response response) throws IOException {
    response.setType(Type.CON);
    response.setMID(nextMessageId++);
    response.setToken(request.getToken());
    response.setDestinationContext(new AddressEndpointContext(server));
    sendBytes(new UdpDataSerializer().getByteArray(response));
  }

  void acknowledge(Message message) throws IOException {
    sendEmpty(Type.ACK, message.getMID());
  }

  void reset(Message message) throws IOException {
    sendEmpty(Type.RST, message.getMID());
  }

  private void sendEmpty(Type type, int messageId) throws IOException {
    sendBytes(
        new byte[] {(byte) (0x40 | type.value << 4), 0, (byte) (messageId >> 8), (byte) messageId});
  }

  Message receive() throws IOException {
    return receive(30_000);
  }

  Message receive(int timeoutMillis) throws IOException {
    byte[] buffer = new byte[2048];
    DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
    socket.setSoTimeout(timeoutMillis);
    socket.receive(packet);
    return new UdpDataParser().parseMessage(Arrays.copyOf(buffer, packet.getLength()));
  }

  /** Whether the next message of the server is its answer to a ping. */
  boolean receivesNothingUntilPing() throws IOException {
    int ping = nextMessageId++;
    sendEmpty(Type.CON, ping);
    Message answer = receive();
    return answer.getType() == Type.RST && answer.getMID() == ping;
  }

  /**
   * Skips messages until the answer to a ping shows that the server has handled everything sent.
   */
  void skipUntilPing() throws IOException {
    int ping = nextMessageId++;
    sendEmpty(Type.CON, ping);
    Message answer = receive();
    while (answer.getType() != Type.RST || answer.getMID() != ping) {
      answer = receive();
    }
  }

  boolean receivesNothingFor(int millis) throws IOException {
    try {
      receive(millis);
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }

  Response exchange(Request request) throws IOException {
    send(request);
    return (Response) receive();
  }

  static String text(Message message) {
    return new String(message.getPayload(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    socket.close();
  }
}
