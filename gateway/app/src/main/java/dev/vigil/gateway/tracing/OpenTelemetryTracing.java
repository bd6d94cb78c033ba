package dev.vigil.gateway.tracing;

import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestTracer;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import dev.vigil.store.Store;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Sends spans to a collector by OTLP over HTTP. */
final class OpenTelemetryTracing implements Tracing, RequestTracer {
  private static final String NAME = "vigil-gateway";
  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");
  private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("vigil.route");
  private static final AttributeKey<String> CODE = AttributeKey.stringKey("coap.response.code");
  private static final AttributeKey<String> METHOD = AttributeKey.stringKey("coap.method");
  private static final AttributeKey<Boolean> SECURE = AttributeKey.booleanKey("vigil.secure");

  private final SdkTracerProvider provider;
  private final Tracer tracer;
  private final Clock clock;
  private final LongSupplier nanoTime;

  private OpenTelemetryTracing(SdkTracerProvider provider, Clock clock, LongSupplier nanoTime) {
    this.provider = provider;
    this.tracer = provider.get(NAME);
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /**
   * @param ratio fraction of the requests that is traced
   */
  static OpenTelemetryTracing to(URI collector, double ratio, Clock clock, LongSupplier nanoTime) {
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder().setEndpoint(collector.toString()).build();
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setResource(Resource.create(Attributes.of(SERVICE, NAME)))
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(ratio)))
            .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
            .build();
    return new OpenTelemetryTracing(provider, clock, nanoTime);
  }

  @Override
  public RequestTracer requests() {
    return this;
  }

  @Override
  public CompletableFuture<Response> trace(
      Route route,
      Request request,
      long receivedNanos,
      Supplier<CompletableFuture<Response>> answer) {
    Span span = begin(route, request, receivedNanos);
    CompletableFuture<Response> response;
    try (Scope _ = Context.root().with(span).makeCurrent()) {
      response = answer.get();
    }
    return response.thenApply(
        answered -> {
          end(span, answered);
          return answered;
        });
  }

  @Override
  public <T> Consumer<T> carry(Consumer<T> step) {
    return Context.current().wrapConsumer(step);
  }

  private Span begin(Route route, Request request, long receivedNanos) {
    Instant begun = clock.instant();
    Instant received =
        receivedNanos == 0 ? begun : begun.minusNanos(nanoTime.getAsLong() - receivedNanos);
    // The route, not the path, so that there are few names of spans.
    Span span =
        tracer
            .spanBuilder(request.method() + " " + route.path())
            .setNoParent()
            .setSpanKind(SpanKind.SERVER)
            .setStartTimestamp(received)
            .setAttribute(METHOD, request.method().name())
            .setAttribute(ROUTE, route.path())
            .setAttribute(SECURE, request.caller().secure())
            .startSpan();
    if (receivedNanos != 0) {
      tracer
          .spanBuilder("wait")
          .setParent(Context.root().with(span))
          .setStartTimestamp(received)
          .startSpan()
          .end(begun);
    }
    return span;
  }

  private static void end(Span span, Response response) {
    span.setAttribute(CODE, response.code().dotted());
    if (response.code().dotted().startsWith("5")) {
      span.setStatus(StatusCode.ERROR);
    }
    span.end();
  }

  @Override
  public Store traced(Store store) {
    return new TracedStore(store, tracer);
  }

  /** Sends the queued spans, for a few seconds at most. */
  @Override
  public void close() {
    provider.close();
  }
}
