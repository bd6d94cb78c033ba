package dev.vigil.gateway.coap;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.server.CoapStatistics.Socket;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.springframework.stereotype.Component;

/**
 * Metrics of the CoAP server (datagrams, queues, Echo, DTLS), and of the requests over CoAP and
 * HTTP, by route.
 */
@Component
class CoapMetrics implements MeterBinder {
  /** Classes of response codes: success, client error, server error. */
  private static final int[] CLASSES = {2, 4, 5};

  private static final int CLASS_SHIFT = 5;

  private final CoapServerLifecycle server;
  private final RequestDispatcher dispatcher;

  CoapMetrics(CoapServerLifecycle server, RequestDispatcher dispatcher) {
    this.server = server;
    this.dispatcher = dispatcher;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (boolean secure : new boolean[] {false, true}) {
      bindSockets(registry, secure);
    }
    counter(
        registry,
        "echo.challenges",
        "responses that ask for an Echo",
        Tags.empty(),
        s -> s.server.statistics().echoChallenges());
    counter(
        registry,
        "echo.proofs",
        "requests with a valid Echo",
        Tags.empty(),
        s -> s.server.statistics().echoProofs());
    gauge(
        registry,
        "requests.waiting",
        "requests that wait for earlier ones of the same endpoint",
        Tags.empty(),
        s -> s.server.statistics().requestsWaiting());
    counter(
        registry,
        "requests.refused",
        "requests refused because too many of the same endpoint waited",
        Tags.empty(),
        s -> s.server.statistics().requestsRefused());
    gauge(
        registry,
        "observations",
        "observed resources, one for each observer",
        Tags.empty(),
        s -> s.server.statistics().observations());
    gauge(
        registry,
        "uploads",
        "block-wise uploads that are not finished",
        Tags.empty(),
        s -> s.server.statistics().uploads());
    gauge(
        registry,
        "dtls.sessions",
        "established DTLS sessions",
        Tags.empty(),
        s -> s.server.dtlsStatistics().sessions());
    gauge(
        registry,
        "dtls.handshakes.open",
        "handshakes that are not finished",
        Tags.empty(),
        s -> s.server.dtlsStatistics().halfOpen());
    counter(
        registry,
        "dtls.handshakes",
        "finished handshakes",
        Tags.of("result", "completed"),
        s -> s.server.dtlsStatistics().completed());
    counter(
        registry,
        "dtls.handshakes",
        "finished handshakes",
        Tags.of("result", "failed"),
        s -> s.server.dtlsStatistics().failed());
    gauge(
        registry,
        "dtls.restored",
        "sessions that the last stop saved and this start restored",
        Tags.empty(),
        s -> s.server.dtlsStatistics().restored());
    counter(
        registry,
        "dtls.forwarded",
        "records of DTLS sessions of other gateways, forwarded between the gateways of a cluster",
        Tags.of("direction", "out"),
        s -> s.server.dtlsStatistics().forwarding().sent());
    counter(
        registry,
        "dtls.forwarded",
        "records of DTLS sessions of other gateways, forwarded between the gateways of a cluster",
        Tags.of("direction", "in"),
        s -> s.server.dtlsStatistics().forwarding().received());
    counter(
        registry,
        "dtls.forwarded.refused",
        "datagrams at the private sockets of the cluster that no gateway had sent",
        Tags.empty(),
        s -> s.server.dtlsStatistics().forwarding().refused());
    Gauge.builder("vigil.certificate.expires", this, CoapMetrics::certificateExpires)
        .tags("protocol", "coaps")
        .baseUnit("seconds")
        .description("end of the certificate's validity, seconds since 1970; NaN without one")
        .register(registry);
    bindRequests(registry);
  }

  private void bindSockets(MeterRegistry registry, boolean secure) {
    Tags tags = Tags.of("scheme", secure ? "coaps" : "coap");
    counter(
        registry, "datagrams", "datagrams received", tags, s -> s.sum(secure, Socket::received));
    counter(
        registry,
        "datagrams.dropped",
        "datagrams that the full queue dropped, from the sources with most datagrams",
        tags,
        s -> s.sum(secure, Socket::dropped));
    gauge(
        registry,
        "datagrams.waiting",
        "datagrams that no worker has begun",
        tags,
        s -> s.sum(secure, Socket::waiting));
  }

  private double sum(boolean secure, ToDoubleFunction<Socket> of) {
    return server.statistics().sockets().stream()
        .filter(socket -> socket.secure() == secure)
        .mapToDouble(of)
        .sum();
  }

  private double certificateExpires() {
    return server
        .certificateExpires()
        .map(Instant::getEpochSecond)
        .map(Long::doubleValue)
        .orElse(Double.NaN);
  }

  private void bindRequests(MeterRegistry registry) {
    for (String route : dispatcher.routePaths()) {
      for (int codeClass : CLASSES) {
        FunctionCounter.builder("vigil.requests", dispatcher, d -> responses(d, route, codeClass))
            .tags("route", route, "class", Integer.toString(codeClass))
            .description("requests over CoAP and HTTP, by the class of their response code")
            .register(registry);
      }
    }
  }

  private static double responses(RequestDispatcher dispatcher, String route, int codeClass) {
    return Arrays.stream(Code.values())
        .filter(code -> code.octet() >> CLASS_SHIFT == codeClass)
        .mapToLong(code -> dispatcher.responses(route, code))
        .sum();
  }

  private void counter(
      MeterRegistry registry,
      String name,
      String description,
      Tags tags,
      ToDoubleFunction<CoapMetrics> of) {
    FunctionCounter.builder("vigil.coap." + name, this, of)
        .tags(tags)
        .description(description)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      String description,
      Tags tags,
      ToDoubleFunction<CoapMetrics> of) {
    Gauge.builder("vigil.coap." + name, this, of)
        .tags(tags)
        .description(description)
        .register(registry);
  }
}
