package dev.vigil.coap.server;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.EntityTag;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Resource;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.exchange.Topic;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.message.CoapSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** An observable resource whose state is a number, and which counts its requests. */
final class ObservableValue implements Resource {
  static final Topic TOPIC = new Topic("value");
  static final int MAX_TRANSFERS = 100;

  /** Longer than a pause of a busy machine. Tests of repetitions shorten it. */
  Duration ackTimeout = Duration.ofSeconds(20);

  private final Topics topics = new Topics();
  private final AtomicLong number = new AtomicLong(1);
  private final AtomicInteger requests = new AtomicInteger();

  /**
   * Opens a server on a free loopback port that notifies this value's observers. Its limits are
   * low; it retransmits a confirmable message twice, first after {@link #ackTimeout}.
   *
   * @param trusted whether loopback addresses count as verified
   */
  CoapServer serve(List<Route> routes, boolean trusted, int maxObservations) throws IOException {
    return serve(routes, trusted, maxObservations, () -> false, Clock.systemUTC());
  }

  CoapServer serve(
      List<Route> routes,
      boolean trusted,
      int maxObservations,
      BooleanSupplier memoryIsScarce,
      Clock clock)
      throws IOException {
    return serve(
        routes,
        (local, peer) -> trusted && peer.getPeerAddress().getAddress().isLoopbackAddress(),
        maxObservations,
        memoryIsScarce,
        clock);
  }

  CoapServer serve(
      List<Route> routes,
      CoapSettings.Trust trust,
      int maxObservations,
      BooleanSupplier memoryIsScarce,
      Clock clock)
      throws IOException {
    return CoapServer.open(
        new RequestDispatcher(routes),
        topics,
        new CoapSettings(
            List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
            trust,
            new CoapSettings.Limits(2, 65_536, 100, MAX_TRANSFERS, maxObservations, ackTimeout, 2),
            CoapSettings.Multicast.NONE,
            memoryIsScarce),
        List.of(),
        new Clocks(clock, System::nanoTime),
        new SecureRandom());
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    requests.incrementAndGet();
    return CompletableFuture.completedFuture(
        response(number(), request.choose(List.of(ContentFormat.TEXT, ContentFormat.JSON))));
  }

  /** Answers with a text of several blocks, which contains the number a thousand times. */
  CompletableFuture<Response> longText(Request request) {
    return CompletableFuture.completedFuture(
        Response.content(ContentFormat.TEXT, (number() + "....").repeat(1000)));
  }

  static Response response(long number) {
    return response(number, ContentFormat.TEXT);
  }

  private static Response response(long number, ContentFormat format) {
    return Response.content(format, "value " + number)
        .withTag(new EntityTag(number, format))
        .withMaxAge(30)
        .observable(TOPIC);
  }

  long number() {
    return number.get();
  }

  int requests() {
    return requests.get();
  }

  void changeTo(long newNumber) {
    number.set(newNumber);
    reportChange();
  }

  void reportChange() {
    topics.changed(TOPIC);
  }
}
