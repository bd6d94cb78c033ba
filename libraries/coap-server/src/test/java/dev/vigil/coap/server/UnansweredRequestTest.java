package dev.vigil.coap.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.message.CoapSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.Message;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.eclipse.californium.core.network.MessageExchangeStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests of this server that a peer acknowledges but does not answer. */
class UnansweredRequestTest {
  private static final ResponseDeadline SHORT = new ResponseDeadline(Duration.ofSeconds(1));

  private CoapServer server;
  private UdpPeer peer;

  @BeforeEach
  void open() throws IOException {
    server =
        CoapServer.open(
            new RequestDispatcher(List.of()),
            new Topics(),
            new CoapSettings(
                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                address -> true,
                CoapSettings.Limits.standard()),
            List.of(),
            new Clocks(Clock.systemUTC(), System::nanoTime),
            new SecureRandom());
    peer = new UdpPeer(server.sockets().getFirst());
  }

  @AfterEach
  void close() {
    peer.close();
    server.close();
  }

  private CompletableFuture<ClientResponse> send(ResponseDeadline deadline) {
    CoapClient client = new CoapClient(deadline);
    client.attach(server);
    return client.send(
        new ClientRequest(
            Method.GET,
            URI.create("coap://127.0.0.1:" + peer.address().getPort()),
            List.of("x"),
            Query.EMPTY,
            null,
            new byte[0]));
  }

  private Request receiveAndAcknowledge() throws IOException {
    Request request = (Request) peer.receive();
    peer.acknowledge(request);
    return request;
  }

  private void respond(Request request) throws IOException {
    peer.respond(request, new Response(ResponseCode.CONTENT));
  }

  /** RFC 7252 section 4.2: a response to an unknown request is rejected. */
  private void assertForgotten(Request request) throws IOException {
    // The timer's only thread fails the response first, and then completes the exchange.
    new CompletableFuture<Void>().completeOnTimeout(null, 1, TimeUnit.MILLISECONDS).join();
    assertThat(answerToResponse(request).getType()).isEqualTo(Type.RST);
    assertThat(server.endpointTowards(peer.address().getAddress()).orElseThrow())
        .extracting("exchangeStore", type(MessageExchangeStore.class))
        .returns(true, MessageExchangeStore::isEmpty);
  }

  /** Repeats the response, because one that arrives while the exchange ends is dropped. */
  private Message answerToResponse(Request request) throws IOException {
    for (int i = 0; i < 20; i++) {
      respond(request);
      try {
        return peer.receive(500);
      } catch (SocketTimeoutException e) {
        // It was dropped.
      }
    }
    throw new AssertionError("no answer to a response");
  }

  private static void assertFails(
      CompletableFuture<?> response, Class<? extends Throwable> expected) {
    assertThatThrownBy(() -> response.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(expected);
  }

  @Test
  void aRequestEndsAtItsDeadline() throws IOException {
    CompletableFuture<ClientResponse> response = send(SHORT);
    Request request = receiveAndAcknowledge();
    assertFails(response, IOException.class);
    assertForgotten(request);
  }

  @Test
  void aRequestRepeatedWithEchoEndsToo() throws IOException {
    CompletableFuture<ClientResponse> response = send(ResponseDeadline.STANDARD);
    Request first = receiveAndAcknowledge();
    Response challenge = new Response(ResponseCode.UNAUTHORIZED);
    challenge.getOptions().addOtherOption(new Option(StandardOptionRegistry.ECHO, new byte[] {7}));
    peer.respond(first, challenge);
    assertThat(peer.receive().getType()).isEqualTo(Type.ACK);
    Request repeated = receiveAndAcknowledge();
    assertThat(repeated.getOptions().getOtherOption(StandardOptionRegistry.ECHO)).isNotNull();
    response.cancel(false);
    assertForgotten(repeated);
  }

  @Test
  void aRequestEndsWhenItsResponseIsNoLongerWanted() throws IOException {
    CompletableFuture<ClientResponse> response = send(ResponseDeadline.STANDARD);
    Request request = receiveAndAcknowledge();
    response.cancel(false);
    assertForgotten(request);
  }

  @Test
  void anAnswerWithinTheDeadlineIsReceived() throws Exception {
    CompletableFuture<ClientResponse> response = send(ResponseDeadline.STANDARD);
    respond(receiveAndAcknowledge());
    assertThat(response.get(30, TimeUnit.SECONDS).code()).isEqualTo("2.05");
    assertThat(peer.receive().getType()).isEqualTo(Type.ACK);
  }

  @Test
  void aFetchOfLinksEndsAtItsDeadline() throws IOException {
    CoapLinkFetcher fetcher = new CoapLinkFetcher(SHORT);
    fetcher.attach(server);
    var links =
        fetcher.wellKnownCore(
            new dev.vigil.coap.exchange.Request(
                Method.POST,
                List.of(".well-known", "rd"),
                Query.EMPTY,
                null,
                new byte[0],
                List.of(),
                true,
                Caller.anonymous(peer.address(), true)));
    Request request = receiveAndAcknowledge();
    assertThatThrownBy(() -> links.get(30, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            ErrorResponseException.class,
            e -> assertThat(e.code()).isEqualTo(Code.GATEWAY_TIMEOUT));
    assertForgotten(request);
  }
}
