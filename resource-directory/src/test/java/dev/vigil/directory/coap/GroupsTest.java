package dev.vigil.directory.coap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.EntityTag;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Site;
import dev.vigil.directory.exchange.Topics;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
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
 * Discovery by multicast, over the groups of IPv4: those of IPv6 need a route that the loopback
 * interface lacks; the end-to-end tests ask them in a network of their own.
 */
class GroupsTest {
  private static final String ALL_COAP_NODES = "224.0.1.187";
  private static final String ALL_DIRECTORIES = "224.0.1.190";
  private static final String LINKS = "</rd>;rt=core.rd";

  private final AtomicInteger asked = new AtomicInteger();
  private CoapFront front;
  private DatagramChannel client;
  private int mid = 1;

  @BeforeEach
  void open() throws IOException {
    front = front(0);
    client = DatagramChannel.open(java.net.StandardProtocolFamily.INET);
    client.bind(new InetSocketAddress("127.0.0.1", 0));
    client.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback());
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    front.close();
  }

  private CoapFront front(int port) throws IOException {
    Site site =
        new Site(
            Map.of(
                "/.well-known/core", this::links,
                "/rd-lookup/ep", this::refuse,
                "/rd-lookup/res", this::links,
                "/value", this::links));
    return CoapFront.open(
        site,
        new Topics(),
        new CoapSettings(
            List.of(new InetSocketAddress(InetAddress.ofLiteral("::"), port)),
            (at, source) -> false,
            CoapSettings.Limits.standard(),
            new CoapSettings.Multicast(GroupsTest::isLoopback, Duration.ofMillis(20))),
        List.of(),
        Clock.systemUTC(),
        new SecureRandom());
  }

  private static boolean isLoopback(NetworkInterface one) {
    try {
      return one.isLoopback();
    } catch (SocketException e) {
      return false;
    }
  }

  private static NetworkInterface loopback() throws SocketException {
    return NetworkInterface.getByInetAddress(InetAddress.ofLiteral("127.0.0.1"));
  }

  private CompletableFuture<Response> links(Request request) {
    asked.incrementAndGet();
    String rt = request.query().first("rt").orElse("");
    String links =
        switch (rt) {
          case "nothing" -> "";
          case "much" -> "0123456789".repeat(100);
          default -> LINKS + ";at=\"" + request.base() + "\"";
        };
    return CompletableFuture.completedFuture(
        Response.content(ContentFormat.LINK_FORMAT, links)
            .withTag(new EntityTag(7, ContentFormat.LINK_FORMAT)));
  }

  private CompletableFuture<Response> refuse(Request request) {
    asked.incrementAndGet();
    return CompletableFuture.completedFuture(
        Response.diagnostic(Code.UNAUTHORIZED, "not without credentials"));
  }

  private int port() {
    return front.sockets().getFirst().getPort();
  }

  private org.eclipse.californium.core.coap.Request request(
      CoAP.Code code, Type type, String path, String... query) {
    var request = new org.eclipse.californium.core.coap.Request(code, type);
    request.setMID(mid);
    request.setToken(new Token(new byte[] {(byte) mid}));
    mid++;
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

  private record Heard(InetSocketAddress from, Message message) {
    String text() {
      return new String(message.getPayload(), StandardCharsets.UTF_8);
    }
  }

  private Heard receive() throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(2048);
    client.socket().setSoTimeout(30_000);
    var packet = new java.net.DatagramPacket(buffer.array(), buffer.capacity());
    client.socket().receive(packet);
    return new Heard(
        (InetSocketAddress) packet.getSocketAddress(),
        new UdpDataParser().parseMessage(Arrays.copyOf(buffer.array(), packet.getLength())));
  }

  /**
   * Whatever was sent before has been met with silence when the next question is answered alone.
   */
  private void assertSilentUntilNow() throws IOException {
    var question = request(CoAP.Code.GET, Type.NON, ".well-known/core");
    send(ALL_COAP_NODES, question);
    Heard heard = receive();
    assertThat(heard.message().getToken()).isEqualTo(question.getToken());
    client.configureBlocking(false);
    assertThat(client.receive(ByteBuffer.allocate(2048))).isNull();
    client.configureBlocking(true);
  }

  @ParameterizedTest
  @ValueSource(strings = {ALL_COAP_NODES, ALL_DIRECTORIES})
  void answersAGroupOnceFromItsOwnAddressAndNonConfirmable(String group) throws IOException {
    var question = request(CoAP.Code.GET, Type.NON, ".well-known/core", "rt=core.rd");
    send(group, question);
    Heard heard = receive();
    assertThat(heard.from()).isEqualTo(new InetSocketAddress("127.0.0.1", port()));
    assertThat(heard.message().getType()).isEqualTo(Type.NON);
    assertThat(heard.message().getToken()).isEqualTo(question.getToken());
    // The base is an address that can be asked, not the group's.
    assertThat(heard.text()).isEqualTo(LINKS + ";at=\"coap://127.0.0.1:" + port() + "\"");
    assertThat(asked).hasValue(1);
    assertSilentUntilNow();
  }

  @Test
  void isSilentWhereThereIsNothingToSay() throws IOException {
    send(ALL_DIRECTORIES, request(CoAP.Code.GET, Type.NON, ".well-known/core", "rt=nothing"));
    send(ALL_DIRECTORIES, request(CoAP.Code.GET, Type.NON, "rd-lookup/ep"));
    send(ALL_DIRECTORIES, request(CoAP.Code.GET, Type.NON, "nowhere"));
    assertSilentUntilNow();
    assertThat(asked).hasValue(3);
  }

  @Test
  void asksNobodyForWhatAGroupMayNotDo() throws IOException {
    send(ALL_DIRECTORIES, request(CoAP.Code.GET, Type.CON, ".well-known/core"));
    send(ALL_DIRECTORIES, request(CoAP.Code.POST, Type.NON, "rd-lookup/res"));
    send(ALL_DIRECTORIES, request(CoAP.Code.GET, Type.NON, "value"));
    var malformed = request(CoAP.Code.GET, Type.NON, ".well-known/core");
    malformed.getOptions().setAccept(4711);
    send(ALL_DIRECTORIES, malformed);
    assertSilentUntilNow();
    assertThat(asked).hasValue(1);
  }

  @Test
  void sendsTheFirstBlockOfALongAnswerAndLeavesTheRestToUnicast() throws IOException {
    send(ALL_DIRECTORIES, request(CoAP.Code.GET, Type.NON, "rd-lookup/res", "rt=much"));
    Message first = receive().message();
    assertThat(first.getPayload()).hasSize(256);
    assertThat(first.getOptions().getBlock2().isM()).isTrue();
    assertThat(first.getOptions().getSize2()).isEqualTo(1000);

    var next = request(CoAP.Code.GET, Type.CON, "rd-lookup/res", "rt=much");
    next.getOptions().setBlock2(4, false, 1);
    send("127.0.0.1", next);
    Message challenge = receive().message();
    // By unicast an address has to be shown to be one's own.
    assertThat(challenge.getRawCode()).isEqualTo(Code.UNAUTHORIZED.octet());
  }

  @Test
  void sharesItsPortWithNobodyThoughGroupsAreBoundBesideIt() {
    assertThatThrownBy(() -> front(port()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot listen");
  }
}
