package dev.vigil.coap.server;

import static dev.vigil.coap.server.UdpPeer.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.message.CoapSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.californium.core.CoapClient;
import org.eclipse.californium.core.CoapResponse;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.CoAP.Code;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.Message;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CoapServerTest {
  private final ObservableValue value = new ObservableValue();
  private final List<CompletableFuture<Response>> pending =
      Collections.synchronizedList(new ArrayList<>());
  private List<Route> routes = List.of();
  private CoapServer server;
  private UdpPeer peer;

  @BeforeEach
  void open() throws IOException {
    value.ackTimeout = Duration.ofMillis(100);
    routes =
        List.of(
            Route.of("/value", value),
            Route.of("/long", value::longText),
            Route.of("/base", CoapServerTest::base),
            Route.of("/upload/*", CoapServerTest::uploaded),
            Route.of("/things", CoapServerTest::created),
            Route.of("/slow", this::pending));
    server = value.serve(routes, true, 100);
    peer = new UdpPeer(server.sockets().getFirst());
  }

  @AfterEach
  void close() {
    peer.close();
    server.close();
  }

  private CompletableFuture<Response> pending(Request request) {
    CompletableFuture<Response> response = new CompletableFuture<>();
    pending.add(response);
    return response;
  }

  private static CompletableFuture<Response> created(Request request) {
    return CompletableFuture.completedFuture(Response.created(List.of("things", "7 a/b")));
  }

  private static CompletableFuture<Response> base(Request request) {
    return CompletableFuture.completedFuture(
        Response.content(
            ContentFormat.TEXT, request.base() + " " + request.query().parameters().size()));
  }

  private static CompletableFuture<Response> uploaded(Request request) {
    return CompletableFuture.completedFuture(
        Response.content(
            ContentFormat.TEXT,
            request.path().getLast() + " " + request.payload().length + " " + request.format()));
  }

  private String uri(String path) {
    return server.addresses().getFirst() + path;
  }

  @Test
  void answersWithFormatTagAndAge() throws IOException {
    var response = peer.exchange(peer.request(Code.GET, Type.CON, "value"));

    assertThat(response.getCode()).isEqualTo(ResponseCode.CONTENT);
    assertThat(response.getType()).isEqualTo(Type.ACK);
    assertThat(text(response)).isEqualTo("value 1");
    assertThat(response.getOptions().getContentFormat()).isZero();
    assertThat(response.getOptions().getMaxAge()).isEqualTo(30);
    assertThat(response.getOptions().getETags()).containsExactly(new byte[] {0, 1});
  }

  @Test
  void confirmsAKnownTagWithoutRepeatingThePayload() throws IOException {
    var request = peer.request(Code.GET, Type.CON, "value");
    request.getOptions().addETag(new byte[] {9}).addETag(new byte[] {0, 1});

    var response = peer.exchange(request);

    assertThat(response.getCode()).isEqualTo(ResponseCode.VALID);
    assertThat(response.getPayload()).isEmpty();
    assertThat(response.getOptions().getETags()).containsExactly(new byte[] {0, 1});
    assertThat(response.getOptions().getMaxAge()).isEqualTo(30);
  }

  @Test
  void returnsTheLocationOfACreatedResource() throws IOException {
    var response = peer.exchange(peer.request(Code.POST, Type.CON, "things"));

    assertThat(response.getCode()).isEqualTo(ResponseCode.CREATED);
    assertThat(response.getOptions().getLocationPath()).containsExactly("things", "7 a/b");
  }

  @Test
  void rejectsUnsupportedOptionsMethodsAndPaths() throws IOException {
    var format = peer.request(Code.PUT, Type.CON, "upload", "a");
    format.getOptions().setContentFormat(9999);
    format.setPayload("x");
    assertThat(peer.exchange(format).getCode()).isEqualTo(ResponseCode.UNSUPPORTED_CONTENT_FORMAT);

    var accept = peer.request(Code.GET, Type.CON, "value");
    accept.getOptions().setAccept(9999);
    assertThat(peer.exchange(accept).getCode()).isEqualTo(ResponseCode.NOT_ACCEPTABLE);

    var ifMatch = peer.request(Code.GET, Type.CON, "value");
    ifMatch.getOptions().addIfMatch(new byte[] {1});
    assertThat(peer.exchange(ifMatch).getCode()).isEqualTo(ResponseCode.BAD_OPTION);

    var qBlock = peer.request(Code.GET, Type.CON, "value");
    qBlock.getOptions().addOtherOption(new Option(StandardOptionRegistry.Q_BLOCK_1, 0));
    assertThat(peer.exchange(qBlock).getCode()).isEqualTo(ResponseCode.BAD_OPTION);

    var patch = peer.request(Code.PATCH, Type.CON, "value");
    assertThat(peer.exchange(patch).getCode()).isEqualTo(ResponseCode.METHOD_NOT_ALLOWED);

    var nothing = peer.exchange(peer.request(Code.GET, Type.CON, "nowhere"));
    assertThat(nothing.getCode()).isEqualTo(ResponseCode.NOT_FOUND);
    assertThat(text(nothing)).isEqualTo("no resource at /nowhere");
    assertThat(nothing.getOptions().hasContentFormat()).isFalse();
  }

  @Test
  void rejectsAnUnknownCriticalOptionAndIgnoresAnElectiveOne() throws IOException {
    // Option 65001 is critical, 65000 is not (RFC 7252 section 5.4.6); delta 65000 - 11 after
    // Uri-Path "base".
    byte[] critical = {
      0x40, 0x01, 0x70, 0x01, (byte) 0xb4, 'b', 'a', 's', 'e', (byte) 0xe0, (byte) 0xfc, (byte) 0xd1
    };
    assertThat((critical[10] & 0xff) * 256 + (critical[11] & 0xff) + 269 + 11).isEqualTo(65001);
    peer.sendBytes(critical);
    assertThat(((org.eclipse.californium.core.coap.Response) peer.receive()).getCode())
        .isEqualTo(ResponseCode.BAD_OPTION);

    byte[] elective = critical.clone();
    elective[3] = 2;
    elective[11] = (byte) 0xd0;
    peer.sendBytes(elective);
    assertThat(((org.eclipse.californium.core.coap.Response) peer.receive()).getCode())
        .isEqualTo(ResponseCode.CONTENT);
  }

  @Test
  void rejectsAMalformedQueryOrPath() throws IOException {
    byte[] notUtf8 = {
      0x40, 0x01, 0x71, 0x01, (byte) 0xb4, 'b', 'a', 's', 'e', 0x42, (byte) 0xc3, (byte) 0x28
    };
    peer.sendBytes(notUtf8);
    assertThat(((org.eclipse.californium.core.coap.Response) peer.receive()).getCode())
        .isEqualTo(ResponseCode.BAD_REQUEST);

    var nameless = peer.request(Code.GET, Type.CON, "base");
    nameless.getOptions().addUriQuery("=x");
    assertThat(peer.exchange(nameless).getCode()).isEqualTo(ResponseCode.BAD_REQUEST);

    var dots = peer.request(Code.GET, Type.CON, "upload", "..");
    assertThat(peer.exchange(dots).getCode()).isEqualTo(ResponseCode.BAD_REQUEST);
  }

  @Test
  void passesTheBaseUriToResources() throws IOException {
    int port = server.sockets().getFirst().getPort();
    assertThat(text(peer.exchange(peer.request(Code.GET, Type.CON, "base"))))
        .isEqualTo("coap://127.0.0.1:" + port + " 0");

    var named = peer.request(Code.GET, Type.CON, "base");
    named.getOptions().setUriHost("gw.example").setUriPort(5683).addUriQuery("a=1");
    assertThat(text(peer.exchange(named))).isEqualTo("coap://gw.example 1");
  }

  @Test
  void sendsASeparateResponseIfItIsLate() throws IOException {
    peer.send(peer.request(Code.GET, Type.CON, "slow"));

    Message ack = peer.receive();
    assertThat(ack.getType()).isEqualTo(Type.ACK);
    assertThat(ack.getRawCode()).isZero();

    pending.getFirst().complete(Response.content(ContentFormat.TEXT, "late"));
    Message response = peer.receive();
    assertThat(response.getType()).isEqualTo(Type.CON);
    assertThat(text(response)).isEqualTo("late");
    peer.acknowledge(response);
  }

  @Test
  void holdsNoThreadForPendingResponses() throws IOException {
    for (int i = 0; i < 20; i++) {
      peer.send(peer.request(Code.GET, Type.NON, "slow"));
    }
    assertThat(text(peer.exchange(peer.request(Code.GET, Type.NON, "value")))).isEqualTo("value 1");
  }

  @Test
  void respectsTheNoResponseOption() throws IOException {
    var unconfirmed = peer.request(Code.PUT, Type.NON, "upload", "a");
    unconfirmed.getOptions().setNoResponse(26);
    peer.send(unconfirmed);
    assertThat(peer.receivesNothingUntilPing()).isTrue();

    var confirmable = peer.request(Code.PUT, Type.CON, "upload", "a");
    confirmable.getOptions().setNoResponse(2);
    peer.send(confirmable);
    Message ack = peer.receive();
    assertThat(ack.getType()).isEqualTo(Type.ACK);
    assertThat(ack.getRawCode()).isZero();
    assertThat(peer.receivesNothingUntilPing()).isTrue();

    var onlyErrors = peer.request(Code.PUT, Type.NON, "nowhere");
    onlyErrors.getOptions().setNoResponse(2);
    assertThat(peer.exchange(onlyErrors).getCode()).isEqualTo(ResponseCode.NOT_FOUND);
  }

  @Test
  void acceptsBlockwiseBodiesUpToTheLimit() throws Exception {
    CoapClient client = new CoapClient(uri("/upload/big"));
    CoapResponse fits = client.put(new byte[65_536], 0);
    assertThat(fits.getResponseText()).isEqualTo("big 65536 TEXT");

    CoapResponse beyond = client.put(new byte[65_537], 0);
    assertThat(beyond.getCode()).isEqualTo(ResponseCode.REQUEST_ENTITY_TOO_LARGE);
    client.shutdown();
  }

  @Test
  void servesOneStateThroughoutABlockwiseTransfer() throws IOException {
    var first = peer.request(Code.GET, Type.CON, "long");
    var response = peer.exchange(first);
    StringBuilder body = new StringBuilder(text(response));
    byte[] tag = response.getOptions().getETags().getFirst();
    value.changeTo(2);
    while (response.getOptions().getBlock2().isM()) {
      BlockOption block = response.getOptions().getBlock2();
      var next = peer.request(Code.GET, Type.CON, "long");
      next.getOptions().setBlock2(block.getSzx(), false, block.getNum() + 1);
      response = peer.exchange(next);
      assertThat(response.getOptions().getETags()).containsExactly(tag);
      body.append(text(response));
    }
    assertThat(body.toString()).isEqualTo("1....".repeat(1000));
  }

  /** If a transfer loses its place, each further block is cut from a new response. */
  @Test
  void oneSourceLeavesDownloadsToOthers() throws IOException {
    try (UdpPeer other =
        new UdpPeer(server.sockets().getFirst(), InetAddress.getByName("127.0.0.2"))) {
      var earlier = other.exchange(other.request(Code.GET, Type.CON, "long"));
      for (int i = 0; i < 3 * ObservableValue.MAX_TRANSFERS; i++) {
        var flood = peer.request(Code.GET, Type.CON, "long");
        flood.getOptions().addUriQuery("i=" + i);
        assertThat(peer.exchange(flood).getOptions().getBlock2().isM()).isTrue();
      }
      assertThat(rest(other, earlier)).as("begun before").isEqualTo("1....".repeat(1000));
      var later = other.exchange(other.request(Code.GET, Type.CON, "long"));
      assertThat(rest(other, later)).as("begun after").isEqualTo("1....".repeat(1000));
    }
  }

  /** The payload of a response and of the blocks after it. */
  private static String rest(UdpPeer client, org.eclipse.californium.core.coap.Response first)
      throws IOException {
    var response = first;
    StringBuilder body = new StringBuilder(text(response));
    while (response.getOptions().getBlock2().isM()) {
      BlockOption block = response.getOptions().getBlock2();
      var next = client.request(Code.GET, Type.CON, "long");
      next.getOptions().setBlock2(block.getSzx(), false, block.getNum() + 1);
      response = client.exchange(next);
      body.append(text(response));
    }
    return body.toString();
  }

  @Test
  void oneSourceLeavesObservationsToOthers() throws IOException {
    for (int i = 0; i < 100; i++) {
      peer.send(peer.observe(Type.CON, "value"));
    }
    int responses = 0;
    while (responses < 100) {
      // The other messages report that an observation gave way to a newer one.
      var message = (org.eclipse.californium.core.coap.Response) peer.receive();
      responses += message.getCode() == ResponseCode.CONTENT ? 1 : 0;
    }
    try (UdpPeer other =
        new UdpPeer(server.sockets().getFirst(), InetAddress.getByName("127.0.0.2"))) {
      for (int i = 0; i < 30; i++) {
        assertThat(other.exchange(other.observe(Type.CON, "value")).getOptions().hasObserve())
            .isTrue();
      }
    }
    var last = (org.eclipse.californium.core.coap.Response) peer.receive();
    assertThat(last.getCode()).isEqualTo(ResponseCode.SERVICE_UNAVAILABLE);
  }

  @Test
  void asksASenderFromTheSocketWithTheWholeAddressOfItsBase() throws IOException {
    InetSocketAddress first = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    InetSocketAddress second = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.12"), 0);
    CoapSettings settings =
        new CoapSettings(List.of(first, second), address -> true, CoapSettings.Limits.standard());
    Caller caller = Caller.anonymous(first, true);
    try (CoapServer twoSockets =
        CoapServer.open(
            new RequestDispatcher(routes),
            new Topics(),
            settings,
            List.of(),
            new Clocks(Clock.systemUTC(), System::nanoTime),
            new SecureRandom())) {
      for (InetSocketAddress socket : twoSockets.sockets()) {
        String host = "coap://" + socket.getAddress().getHostAddress();
        for (String base : List.of(host, host + ":" + socket.getPort())) {
          assertThat(twoSockets.endpointFor(caller, base))
              .map(CoapEndpoint::getAddress)
              .contains(socket);
        }
      }
      assertThat(twoSockets.endpointFor(caller, "coap://node.example"))
          .map(CoapEndpoint::getAddress)
          .contains(twoSockets.sockets().getFirst());
    }
  }

  @Test
  void namesTheAddressThatIsInUse() {
    InetSocketAddress taken = server.sockets().getFirst();
    assertThatThrownBy(
            () ->
                CoapServer.open(
                    new RequestDispatcher(routes),
                    new Topics(),
                    new CoapSettings(List.of(taken), a -> true, CoapSettings.Limits.standard()),
                    List.of(),
                    new Clocks(Clock.systemUTC(), System::nanoTime),
                    new SecureRandom()))
        .isInstanceOf(ListenException.class)
        .hasMessageStartingWith("cannot listen on coap://127.0.0.1:" + taken.getPort() + ": ");
  }
}
