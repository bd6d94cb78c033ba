package dev.vigil.gateway.tracing;

import dev.vigil.store.Batch;
import dev.vigil.store.ForwardingStore;
import dev.vigil.store.Store;
import dev.vigil.store.SubmitResult;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.concurrent.CompletableFuture;

/** A store with a span for each commit of a traced request, from its submission to the disk. */
final class TracedStore extends ForwardingStore {
  private static final AttributeKey<Long> FACTS = AttributeKey.longKey("vigil.facts");

  private final Tracer tracer;

  TracedStore(Store store, Tracer tracer) {
    super(store);
    this.tracer = tracer;
  }

  @Override
  public CompletableFuture<SubmitResult> submit(Batch batch) {
    Context context = Context.current();
    if (!Span.fromContext(context).getSpanContext().isValid()) {
      return super.submit(batch);
    }
    Span span =
        tracer
            .spanBuilder("commit")
            .setParent(context)
            .setAttribute(FACTS, (long) batch.facts().size())
            .startSpan();
    return super.submit(batch)
        .whenComplete(
            (result, thrown) -> {
              if (thrown != null) {
                span.setStatus(StatusCode.ERROR);
              }
              span.end();
            });
  }

  /** The store is closed by its owner. */
  @Override
  public void close() {}
}
