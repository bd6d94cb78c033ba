package dev.vigil.coap.server;

import static dev.vigil.coap.server.UdpPeer.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.limits.WorkLimiter;
import dev.vigil.coap.message.CoapSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.elements.EndpointContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Observers at several addresses of one request. */
class SharedObservationTest {
  private static final InetAddress ONE = InetAddress.ofLiteral("127.0.0.2");
  private static final InetAddress OTHER = InetAddress.ofLiteral("127.0.0.3");

  /** The longest answer to a stranger. */
  private static final int SHORT = 100;

  private final ObservableValue value = new ObservableValue();

  /** The address in the trusted network. */
  private volatile InetAddress inside = InetAddress.getLoopbackAddress();

  /** The address whose budget is spent. */
  private volatile InetAddress spent = InetAddress.getLoopbackAddress();

  /** The only address that {@code /own} answers. */
  private volatile InetAddress home = ONE;

  private CoapServer server;
  private UdpPeer one;
  private UdpPeer other;

  @BeforeEach
  void open() throws IOException {
    server =
        value.serve(
            List.of(
                Route.of("/value", this::charged),
                Route.of("/growing", this::limited),
                Route.of("/own", this::own)),
            new CoapSettings.Trust() {
              @Override
              public boolean isTrusted(InetSocketAddress local, EndpointContext source) {
                return source.getPeerAddress().getAddress().equals(inside);
              }

              @Override
              public boolean isVerified(InetSocketAddress local, EndpointContext source) {
                return true;
              }
            },
            1000,
            () -> false,
            Clock.systemUTC());
    one = new UdpPeer(server.sockets().getFirst(), ONE);
    other = new UdpPeer(server.sockets().getFirst(), OTHER);
  }

  @AfterEach
  void close() {
    one.close();
    other.close();
    server.close();
  }

  private static InetAddress source(Request request) {
    return request.caller().source().getAddress();
  }

  private CompletableFuture<Response> charged(Request request) {
    if (source(request).equals(spent)) {
      throw new ErrorResponseException(Code.TOO_MANY_REQUESTS, "too many large requests");
    }
    return value.answer(request);
  }

  private CompletableFuture<Response> limited(Request request) {
    if (value.number() > SHORT && !WorkLimiter.isUnlimited(request.caller())) {
      throw new ErrorResponseException(Code.BAD_REQUEST, "use page and count");
    }
    return CompletableFuture.completedFuture(
        Response.content(ContentFormat.TEXT, ".".repeat((int) value.number()))
            .observable(ObservableValue.TOPIC));
  }

  private CompletableFuture<Response> own(Request request) {
    if (!source(request).equals(home)) {
      throw new ErrorResponseException(Code.FORBIDDEN, "only the endpoint may ask");
    }
    return CompletableFuture.completedFuture(
        Response.content(ContentFormat.TEXT, "value " + value.number())
            .observableBySource(ObservableValue.TOPIC));
  }

  private static void observe(UdpPeer peer, String path) throws IOException {
    assertThat(peer.exchange(peer.observe(Type.CON, path)).getOptions().hasObserve()).isTrue();
  }

  private static org.eclipse.californium.core.coap.Response notification(UdpPeer peer)
      throws IOException {
    var message = (org.eclipse.californium.core.coap.Response) peer.receive();
    if (message.getType() == Type.CON) {
      peer.acknowledge(message);
    }
    return message;
  }

  @Test
  void isAnsweredOnceForObserversAtSeveralAddresses() throws IOException {
    observe(one, "value");
    observe(other, "value");
    int before = value.requests();
    value.changeTo(2);
    assertThat(text(notification(one))).isEqualTo("value 2");
    assertThat(text(notification(other))).isEqualTo("value 2");
    // Two computations, if the change came between the last observer's first response and its
    // admission.
    assertThat(value.requests() - before).isBetween(1, 2);
  }

  @Test
  void anObserverWithoutBudgetEndsNoOtherObservation() throws IOException {
    for (int i = 0; i < 20; i++) {
      observe(one, "value");
    }
    observe(other, "value");
    spent = ONE;
    for (int number = 2; number <= 4; number++) {
      value.changeTo(number);
      assertThat(text(notification(other))).isEqualTo("value " + number);
    }
  }

  @Test
  void observersWhoseBudgetsAreAllSpentAreToldSo() throws IOException {
    observe(one, "value");
    observe(one, "value");
    spent = ONE;
    value.changeTo(2);
    for (int i = 0; i < 2; i++) {
      assertThat(notification(one).getCode()).isEqualTo(ResponseCode.TOO_MANY_REQUESTS);
    }
    observe(other, "value");
    value.changeTo(3);
    assertThat(text(notification(other))).isEqualTo("value 3");
  }

  @Test
  void theLimitsOfAStrangerHoldForNoTrustedObserver() throws IOException {
    inside = OTHER;
    observe(one, "growing");
    observe(other, "growing");
    value.changeTo(2 * SHORT);
    assertThat(notification(one).getCode()).isEqualTo(ResponseCode.BAD_REQUEST);
    assertThat(notification(other).getPayload()).hasSize(2 * SHORT);
  }

  @Test
  void anAnswerThatDependsOnTheAddressIsNotShared() throws IOException {
    observe(one, "own");
    home = OTHER;
    observe(other, "own");
    value.changeTo(2);
    assertThat(notification(one).getCode()).isEqualTo(ResponseCode.FORBIDDEN);
    assertThat(text(notification(other))).isEqualTo("value 2");
  }
}
