package dev.vigil.coap.server;

import static dev.vigil.coap.server.UdpPeer.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.message.CallerResolver;
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
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.CoAP.Code;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.Message;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.eclipse.californium.core.network.serialization.UdpDataSerializer;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.EndpointContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources whose address may be forged, and what makes an address verified. */
class UnverifiedSourceTest {
  private final ObservableValue value = new ObservableValue();
  private final List<CompletableFuture<Response>> pending =
      Collections.synchronizedList(new ArrayList<>());
  private CoapServer server;
  private UdpPeer peer;

  @BeforeEach
  void open() throws IOException {
    value.ackTimeout = Duration.ofMillis(100);
    List<Route> routes =
        List.of(
            Route.of("/value", value),
            Route.of("/long", value::longText),
            Route.of("/fits", UnverifiedSourceTest::repeated),
            Route.of("/slow", this::pending));
    server = value.serve(routes, false, 100);
    peer = new UdpPeer(server.sockets().getFirst());
  }

  @AfterEach
  void close() {
    peer.close();
    server.close();
  }

  private static CompletableFuture<Response> repeated(Request request) {
    int octets = Integer.parseInt(request.query().first("octets").orElseThrow());
    return CompletableFuture.completedFuture(
        Response.content(ContentFormat.TEXT, "x".repeat(octets)));
  }

  private CompletableFuture<Response> pending(Request request) {
    CompletableFuture<Response> response = new CompletableFuture<>();
    pending.add(response);
    return response;
  }

  @Test
  void repeatsNoSeparateResponseToAnUnverifiedSource() throws IOException {
    peer.send(peer.request(Code.GET, Type.CON, "slow"));
    assertThat(peer.receive().getType()).isEqualTo(Type.ACK);

    pending.getFirst().complete(Response.content(ContentFormat.TEXT, "late"));
    Message response = peer.receive();
    assertThat(response.getType()).isEqualTo(Type.NON);
    assertThat(text(response)).isEqualTo("late");
  }

  /** RFC 9175 section 2.4, RFC 7252 section 11.3: at most three times the octets of a request. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 2, 5, 6})
  void sendsSmallBlocksToAnUnverifiedSource(int szx) throws IOException {
    StringBuilder body = new StringBuilder();
    BlockOption block = szx < 0 ? null : new BlockOption(szx, false, 0);
    byte[] tag = null;
    boolean more = true;
    while (more) {
      var request = peer.request(Code.GET, Type.CON, "long");
      if (block != null) {
        request.getOptions().setBlock2(block);
      }
      var response = peer.exchange(request);
      int octets = new UdpDataSerializer().getByteArray(request).length;
      assertThat(response.getCode()).isEqualTo(ResponseCode.CONTENT);
      assertThat(response.getPayloadSize()).isBetween(1, 3 * octets);
      assertThat(response.getOptions().getETags()).hasSize(1);
      tag = tag == null ? response.getOptions().getETags().getFirst() : tag;
      assertThat(response.getOptions().getETags()).as("one state").containsExactly(tag);
      assertThat(response.getOptions().getBlock2().getOffset()).isEqualTo(body.length());
      body.append(text(response));
      value.changeTo(body.length());
      more = response.getOptions().getBlock2().isM();
      int next = response.getOptions().getBlock2().getSzx();
      block = new BlockOption(next, false, body.length() / BlockOption.szx2Size(next));
    }
    assertThat(body.toString()).isEqualTo("1....".repeat(1000));
  }

  @Test
  void sendsAWholeResponseOfThreeTimesTheRequest() throws IOException {
    var request = peer.request(Code.GET, Type.CON, "fits");
    int octets = new UdpDataSerializer().getByteArray(request).length;
    request.getOptions().addUriQuery("octets=" + 3 * (octets + 10));
    var response = peer.exchange(request);
    assertThat(response.getPayloadSize()).isEqualTo(3 * (octets + 10));
    assertThat(response.getOptions().hasBlock2()).isFalse();
  }

  /** RFC 9175 section 2.3: a client may use the Echo option of any response. */
  @Test
  void aSmallBlockOffersAnEchoForLargerOnes() throws IOException {
    var block = peer.exchange(peer.request(Code.GET, Type.CON, "long"));
    var again = peer.request(Code.GET, Type.CON, "long");
    again.getOptions().addOtherOption(echo(block));
    assertThat(peer.exchange(again).getPayloadSize()).isEqualTo(512);
    var next = peer.request(Code.GET, Type.CON, "long");
    next.getOptions().setBlock2(5, false, 1);
    var second = peer.exchange(next);
    assertThat(second.getPayloadSize()).isEqualTo(512);
    assertThat(echo(second)).isNull();
  }

  @Test
  void remembersASourceThatHasEchoed() throws IOException {
    var observing = peer.observe(Type.CON, "value");
    observing.getOptions().addOtherOption(echo(peer.exchange(peer.observe(Type.CON, "value"))));
    assertThat(peer.exchange(observing).getOptions().hasObserve()).isTrue();

    var read = peer.exchange(peer.request(Code.GET, Type.CON, "long"));
    assertThat(read.getPayloadSize()).isEqualTo(512);
    try (UdpPeer otherPort = new UdpPeer(server.sockets().getFirst())) {
      var stolen = otherPort.observe(Type.CON, "value");
      stolen.getOptions().addOtherOption(echo(observing));
      assertThat(otherPort.exchange(stolen).getCode()).isEqualTo(ResponseCode.UNAUTHORIZED);
    }
  }

  @Test
  void anObserverVerifiesItsAddressFirst() throws IOException {
    var challenge = peer.exchange(peer.observe(Type.CON, "value"));
    assertThat(challenge.getCode()).isEqualTo(ResponseCode.UNAUTHORIZED);
    assertThat(challenge.getOptions().hasObserve()).isFalse();
    value.changeTo(2);
    assertThat(peer.receivesNothingUntilPing()).as("no notification").isTrue();
    var verified = peer.observe(Type.CON, "value");
    verified.getOptions().addOtherOption(echo(challenge));
    assertThat(peer.exchange(verified).getOptions().hasObserve()).isTrue();
  }

  private static Option echo(Message challenge) {
    return challenge.getOptions().getOtherOption(StandardOptionRegistry.ECHO);
  }

  @Test
  void trustsASourcePerSocket() throws IOException {
    AtomicReference<InetSocketAddress> trusted = new AtomicReference<>();
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    CoapSettings settings =
        new CoapSettings(
            List.of(loopback, loopback),
            (local, source) -> local.equals(trusted.get()),
            CoapSettings.Limits.standard(),
            CoapSettings.Multicast.NONE);
    List<Route> bothPaths =
        List.of(
            Route.of("/fast/*", UnverifiedSourceTest::isVerified).withFastPath(),
            Route.of("/other", UnverifiedSourceTest::isVerified));
    try (CoapServer twoSockets =
            CoapServer.open(
                new RequestDispatcher(bothPaths),
                new Topics(),
                settings,
                List.of(),
                new Clocks(Clock.systemUTC(), System::nanoTime),
                new SecureRandom());
        UdpPeer trustedPeer = new UdpPeer(twoSockets.sockets().getFirst());
        UdpPeer otherPeer = new UdpPeer(twoSockets.sockets().getLast())) {
      trusted.set(twoSockets.sockets().getFirst());
      for (String[] path : List.of(new String[] {"fast", "7", "a"}, new String[] {"other"})) {
        assertThat(text(trustedPeer.exchange(trustedPeer.request(Code.GET, Type.CON, path))))
            .isEqualTo("true");
        assertThat(text(otherPeer.exchange(otherPeer.request(Code.GET, Type.CON, path))))
            .isEqualTo("false");
      }
    }
  }

  private static CompletableFuture<Response> isVerified(Request request) {
    return CompletableFuture.completedFuture(
        Response.content(ContentFormat.TEXT, Boolean.toString(request.caller().verified())));
  }

  /** A verified address has no privilege of a trusted network. */
  @Test
  void aSourceThatNobodyElseCanUseIsVerifiedWithoutEcho() {
    CoapSettings.Trust trust =
        new CoapSettings.Trust() {
          @Override
          public boolean isTrusted(InetSocketAddress local, EndpointContext source) {
            return false;
          }

          @Override
          public boolean isVerified(InetSocketAddress local, EndpointContext source) {
            return source.getPeerAddress().getAddress().isLoopbackAddress();
          }
        };
    InetSocketAddress loopback = server.sockets().getFirst();
    Caller caller =
        new CallerResolver(trust).of(loopback, new AddressEndpointContext(loopback), false, false);
    assertThat(caller.verified()).isTrue();
    assertThat(caller.trusted()).isFalse();
    assertThat(Source.of(caller).standing()).isEqualTo(Source.Standing.VERIFIED);
  }
}
