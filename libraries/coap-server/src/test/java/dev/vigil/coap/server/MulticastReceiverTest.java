package dev.vigil.coap.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.EntityTag;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.message.CoapSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.Message;
import org.eclipse.californium.core.coap.Token;
import org.eclipse.californium.core.network.serialization.UdpDataParser;
import org.eclipse.californium.core.network.serialization.UdpDataSerializer;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Discovery by IPv4 multicast. The IPv6 groups need a route that the loopback interface lacks; the
 * end-to-end tests use them in a network namespace.
 */
class MulticastReceiverTest {
  private static final String ALL_COAP_NODES = "224.0.1.187";
  private static final String ALL_DIRECTORIES = "224.0.1.190";
  private static final String LINKS = "</a>;rt=core.rd";

  private final Semaphore requests = new Semaphore(0);
  private CoapServer server;
  private DatagramChannel client;
  private int nextMessageId = 1;

  @BeforeEach
  void open() throws IOException {
    server = server(0);
    client = DatagramChannel.open(java.net.StandardProtocolFamily.INET);
    client.bind(new InetSocketAddress("127.0.0.1", 0));
    client.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback());
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  private CoapServer server(int port) throws IOException {
    RequestDispatcher dispatcher =
        new RequestDispatcher(
            List.of(
                Route.of("/.well-known/core", this::links).withMulticast(),
                Route.of("/secret", this::unauthorized).withMulticast(),
                Route.of("/lookup", this::links).withMulticast(),
                Route.of("/value", this::links)));
    return CoapServer.open(
        dispatcher,
        new Topics(),
        new CoapSettings(
            List.of(new InetSocketAddress(InetAddress.ofLiteral("::"), port)),
            (local, source) -> false,
            CoapSettings.Limits.standard(),
            new CoapSettings.Multicast(MulticastReceiverTest::isLoopback, Duration.ofMillis(100))),
        List.of(),
        new Clocks(Clock.systemUTC(), System::nanoTime),
        new SecureRandom());
  }

  private static boolean isLoopback(NetworkInterface candidate) {
    try {
      return candidate.isLoopback();
    } catch (SocketException e) {
      return false;
    }
  }

  private static NetworkInterface loopback() throws SocketException {
    return NetworkInterface.getByInetAddress(InetAddress.ofLiteral("127.0.0.1"));
  }

  private CompletableFuture<Response> links(Request request) {
    requests.release();
    String rt = request.query().first("rt").orElse("");
    String links =
        switch (rt) {
          case "none" -> "";
          case "long" -> "0123456789".repeat(100);
          default -> LINKS + ";at=\"" + request.base() + "\"";
        };
    return CompletableFuture.completedFuture(
        Response.content(ContentFormat.LINK_FORMAT, links)
            .withTag(new EntityTag(7, ContentFormat.LINK_FORMAT)));
  }

  private CompletableFuture<Response> unauthorized(Request request) {
    requests.release();
    return CompletableFuture.completedFuture(
        Response.diagnostic(Code.UNAUTHORIZED, "not without credentials"));
  }

  private int port() {
    return server.sockets().getFirst().getPort();
  }

  private org.eclipse.californium.core.coap.Request request(
      CoAP.Code code, Type type, String path, String... query) {
    var request = new org.eclipse.californium.core.coap.Request(code, type);
    request.setMID(nextMessageId);
    request.setToken(new Token(new byte[] {(byte) nextMessageId}));
    nextMessageId++;
    Arrays.stream(path.split("/")).forEach(request.getOptions()::addUriPath);
    Arrays.stream(query).forEach(request.getOptions()::addUriQuery);
    return request;
  }

  private void send(String address, org.eclipse.californium.core.coap.Request request)
      throws IOException {
    InetSocketAddress to = new InetSocketAddress(InetAddress.ofLiteral(address), port());
    request.setDestinationContext(new AddressEndpointContext(to));
    client.send(ByteBuffer.wrap(new UdpDataSerializer().getByteArray(request)), to);
  }

  private record Received(InetSocketAddress from, Message message) {
    String text() {
      return new String(message.getPayload(), StandardCharsets.UTF_8);
    }
  }

  private Received receive() throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(2048);
    client.socket().setSoTimeout(30_000);
    var packet = new java.net.DatagramPacket(buffer.array(), buffer.capacity());
    client.socket().receive(packet);
    return new Received(
        (InetSocketAddress) packet.getSocketAddress(),
        new UdpDataParser().parseMessage(Arrays.copyOf(buffer.array(), packet.getLength())));
  }

  /** If the next response answers a new request, the earlier requests were ignored. */
  private void assertNothingReceived() throws IOException {
    var request = request(CoAP.Code.GET, Type.NON, ".well-known/core");
    send(ALL_COAP_NODES, request);
    Received received = receive();
    assertThat(received.message().getToken()).isEqualTo(request.getToken());
    client.configureBlocking(false);
    assertThat(client.receive(ByteBuffer.allocate(2048))).isNull();
    client.configureBlocking(true);
  }

  @ParameterizedTest
  @ValueSource(strings = {ALL_COAP_NODES, ALL_DIRECTORIES})
  void answersOnceFromTheUnicastAddressNonConfirmably(String group) throws IOException {
    var request = request(CoAP.Code.GET, Type.NON, ".well-known/core", "rt=core.rd");
    send(group, request);
    Received received = receive();
    assertThat(received.from()).isEqualTo(new InetSocketAddress("127.0.0.1", port()));
    assertThat(received.message().getType()).isEqualTo(Type.NON);
    assertThat(received.message().getToken()).isEqualTo(request.getToken());
    // The base URI has the unicast address, not the group's.
    assertThat(received.text()).isEqualTo(LINKS + ";at=\"coap://127.0.0.1:" + port() + "\"");
    assertThat(requests.availablePermits()).isEqualTo(1);
    assertNothingReceived();
  }

  @Test
  void ignoresErrorsAndEmptyResponses() throws Exception {
    send(ALL_DIRECTORIES, request(CoAP.Code.GET, Type.NON, ".well-known/core", "rt=none"));
    send(ALL_DIRECTORIES, request(CoAP.Code.GET, Type.NON, "secret"));
    send(ALL_DIRECTORIES, request(CoAP.Code.GET, Type.NON, "nowhere"));
    // Another worker could answer the request of assertNothingReceived first.
    assertThat(requests.tryAcquire(2, 30, TimeUnit.SECONDS)).isTrue();
    assertNothingReceived();
    assertThat(requests.availablePermits()).isEqualTo(1);
  }

  @Test
  void ignoresRequestsThatMulticastMustNotMake() throws IOException {
    send(ALL_DIRECTORIES, request(CoAP.Code.GET, Type.CON, ".well-known/core"));
    send(ALL_DIRECTORIES, request(CoAP.Code.POST, Type.NON, "lookup"));
    send(ALL_DIRECTORIES, request(CoAP.Code.GET, Type.NON, "value"));
    var malformed = request(CoAP.Code.GET, Type.NON, ".well-known/core");
    malformed.getOptions().setAccept(4711);
    send(ALL_DIRECTORIES, malformed);
    assertNothingReceived();
    assertThat(requests.availablePermits()).isEqualTo(1);
  }

  /** The source of a request to a group may be forged, and many servers may answer. */
  @ParameterizedTest
  @ValueSource(ints = {0, 20, 80})
  void sendsAtMostThreeTimesTheOctetsOfTheRequest(int more) throws IOException {
    var request = request(CoAP.Code.GET, Type.NON, "lookup", "rt=long", "x=" + "y".repeat(more));
    send(ALL_DIRECTORIES, request);
    Message first = receive().message();
    int octets = new UdpDataSerializer().getByteArray(request).length;
    assertThat(first.getPayloadSize()).isBetween(octets, Math.min(256, 3 * octets));
    assertThat(first.getOptions().getBlock2().isM()).isTrue();
    assertThat(first.getOptions().getSize2()).isEqualTo(1000);
  }

  @Test
  void sendsTheOtherBlocksOfALongResponseByUnicast() throws IOException {
    send(ALL_DIRECTORIES, request(CoAP.Code.GET, Type.NON, "lookup", "rt=long"));
    Message first = receive().message();
    StringBuilder body = new StringBuilder(UdpPeer.text(first));
    for (int number = 1; body.length() < 1000; number++) {
      var next = request(CoAP.Code.GET, Type.CON, "lookup", "rt=long");
      next.getOptions().setBlock2(first.getOptions().getBlock2().getSzx(), false, number);
      send("127.0.0.1", next);
      body.append(UdpPeer.text(receive().message()));
    }
    assertThat(body).hasToString("0123456789".repeat(100));

    var large = request(CoAP.Code.GET, Type.CON, "lookup", "rt=long");
    large.getOptions().setBlock2(4, false, 0);
    send("127.0.0.1", large);
    assertThat(receive().message().getPayloadSize()).as("unverified").isLessThan(256);
  }

  /** They would be answered at once and without a rate limit. */
  @Test
  void ignoresDuplicates() throws IOException {
    var request = request(CoAP.Code.GET, Type.NON, ".well-known/core");
    for (int i = 0; i < 5; i++) {
      send(ALL_COAP_NODES, request);
    }
    assertThat(receive().message().getToken()).isEqualTo(request.getToken());
    send(ALL_COAP_NODES, request);
    assertNothingReceived();
    assertThat(requests.availablePermits()).isEqualTo(2);
  }

  /** RFC 7252 section 8.2: members of a group do not answer all at once. */
  @Test
  void respondsAfterARandomPartOfTheLeisure() throws IOException {
    List<Integer> asked = new ArrayList<>();
    List<Integer> answered = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      asked.add(nextMessageId);
      send(ALL_COAP_NODES, request(CoAP.Code.GET, Type.NON, ".well-known/core"));
    }
    for (int i = 0; i < 30; i++) {
      answered.add(receive().message().getToken().getBytes()[0] & 0xff);
    }
    assertThat(answered).containsExactlyInAnyOrderElementsOf(asked).isNotEqualTo(asked);
  }

  @Test
  void sharesItsPortWithTheSocketsOfTheGroupsOnly() {
    assertThatThrownBy(() -> server(port()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot listen");
  }
}
