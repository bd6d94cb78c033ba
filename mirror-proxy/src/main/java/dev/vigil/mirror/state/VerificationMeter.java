package dev.vigil.mirror.state;

import dev.vigil.coap.deferral.Deferral;
import dev.vigil.coap.exchange.RequestTracer;
import dev.vigil.signed.batch.BatchVerifier;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.SignedObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Verifies signatures and measures their number and time. Safe for any number of threads. */
public final class VerificationMeter {
  private final BatchVerifier signatures;
  private final LongSupplier nanoTime;
  private final RequestTracer tracer;
  private final LongAdder count = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  /** The signatures whose requests wait on a thread. */
  private final ThreadLocal<List<Waiting>> waiting = ThreadLocal.withInitial(ArrayList::new);

  /**
   * @param judged completes {@code valid} within the trace of the request
   */
  private record Waiting(
      BatchVerifier.Check check, CompletableFuture<Boolean> valid, Consumer<Boolean> judged) {}

  /**
   * @param nanoTime monotonic nanoseconds
   */
  public VerificationMeter(BatchVerifier signatures, LongSupplier nanoTime, RequestTracer tracer) {
    this.signatures = signatures;
    this.nanoTime = nanoTime;
    this.tracer = tracer;
  }

  /** Whether the key made the signature; also false for an ill-formed signature. */
  public boolean verify(Jwk key, SignedObject signed) {
    // The requests whose signatures wait began earlier.
    Deferral.complete();
    long from = nanoTime.getAsLong();
    boolean valid = signatures.verify(key, signed);
    add(1, from);
    return valid;
  }

  /**
   * Like {@link #verify}, but together with the signatures of other requests that this worker has
   * begun or can begin at once. Completes on the calling thread, in the order of the calls.
   */
  public CompletableFuture<Boolean> verifyTogether(Jwk key, SignedObject signed) {
    if (!Deferral.isPossible() || !signatures.batches(key)) {
      return CompletableFuture.completedFuture(verify(key, signed));
    }
    CompletableFuture<Boolean> valid = new CompletableFuture<>();
    List<Waiting> batch = waiting.get();
    batch.add(
        new Waiting(new BatchVerifier.Check(key, signed), valid, tracer.carry(valid::complete)));
    if (batch.size() == BatchVerifier.MAX) {
      verifyWaiting();
    } else if (batch.size() == 1) {
      Deferral.defer(this::verifyWaiting);
    }
    return valid;
  }

  private void verifyWaiting() {
    List<Waiting> batch = List.copyOf(waiting.get());
    waiting.get().clear();
    if (batch.isEmpty()) {
      return;
    }
    long from = nanoTime.getAsLong();
    boolean[] valid;
    try {
      valid = signatures.verify(batch.stream().map(Waiting::check).toList());
    } catch (RuntimeException e) {
      batch.forEach(one -> one.valid().completeExceptionally(e));
      return;
    }
    add(batch.size(), from);
    for (int i = 0; i < valid.length; i++) {
      batch.get(i).judged().accept(valid[i]);
    }
  }

  private void add(int signatureCount, long from) {
    nanos.add(nanoTime.getAsLong() - from);
    count.add(signatureCount);
  }

  /** The number of verified signatures, including invalid ones. */
  public long count() {
    return count.sum();
  }

  /** The number of signatures that were verified together with others. */
  public long countTogether() {
    return signatures.batched();
  }

  /** Whether the batch verifier and the provider judged a signature differently. */
  public boolean disagreed() {
    return signatures.disagreed();
  }

  /** The time that all verifications took together. */
  public long nanos() {
    return nanos.sum();
  }
}
