package dev.vigil.gateway.tracing;

import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import dev.vigil.store.SubmitResult;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A store with a span for each commit of a traced request, from its submission to the disk. */
final class TracedStore implements Store {
  private static final AttributeKey<Long> FACTS = AttributeKey.longKey("vigil.facts");

  private final Store store;
  private final Tracer tracer;

  TracedStore(Store store, Tracer tracer) {
    this.store = store;
    this.tracer = tracer;
  }

  @Override
  public CompletableFuture<SubmitResult> submit(Batch batch) {
    Context context = Context.current();
    if (!Span.fromContext(context).getSpanContext().isValid()) {
      return store.submit(batch);
    }
    Span span =
        tracer
            .spanBuilder("commit")
            .setParent(context)
            .setAttribute(FACTS, (long) batch.facts().size())
            .startSpan();
    return store
        .submit(batch)
        .whenComplete(
            (result, thrown) -> {
              if (thrown != null) {
                span.setStatus(StatusCode.ERROR);
              }
              span.end();
            });
  }

  @Override
  public Subscription changes(long after, Consumer<Change> follower) {
    return store.changes(after, follower);
  }

  @Override
  public Subscription changes(String slot, long after, Consumer<Change> follower) {
    return store.changes(slot, after, follower);
  }

  @Override
  public Subscription changes(EndpointName name, long after, Consumer<Change> follower) {
    return store.changes(name, after, follower);
  }

  @Override
  public List<Change> page(long after, int limit) {
    return store.page(after, limit);
  }

  @Override
  public Optional<Endpoint> endpoint(EndpointName name) {
    return store.endpoint(name);
  }

  @Override
  public List<HistoryEntry> history(EndpointName name, String slot, long afterSequence, int limit) {
    return store.history(name, slot, afterSequence, limit);
  }

  @Override
  public List<HistoryEntry> historyBack(
      EndpointName name, String slot, long beforeSequence, int limit) {
    return store.historyBack(name, slot, beforeSequence, limit);
  }

  @Override
  public List<Change> trail(String slot, @Nullable EndpointName name, long after, int limit) {
    return store.trail(slot, name, after, limit);
  }

  @Override
  public List<Change> trailBack(String slot, @Nullable EndpointName name, long before, int limit) {
    return store.trailBack(slot, name, before, limit);
  }

  /** The store is closed by its owner. */
  @Override
  public void close() {}
}
