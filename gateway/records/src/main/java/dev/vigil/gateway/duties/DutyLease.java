package dev.vigil.gateway.duties;

import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Versioned;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A lease that one gateway of a cluster holds. It is a record that the holder writes again and
 * again, each time only if nobody else has written it. Another gateway takes the lease when it has
 * seen the record unchanged for longer than the holder relies on it. No gateway compares wall
 * clocks. Used by one thread, except where a method says otherwise.
 */
final class DutyLease {
  static final String ID = "duties";

  /** The holder relies on its lease for this time after it began to write the record. */
  static final long VALID_NANOS = 5_000_000_000L;

  /** Others take the lease when the record was unchanged for this time. */
  static final long EXPIRY_NANOS = 7_000_000_000L;

  private static final long RENEWAL_NANOS = 1_500_000_000L;

  private final RecordSet<Lease> records;
  private final String gateway;
  private final LongSupplier nanoTime;
  private final Executor thread;

  /** The version of the record that this gateway wrote last; 0 while another may hold the lease. */
  private long written;

  /** The time at which this gateway began to write that version. */
  private long writtenAt;

  private long seen = -1;
  private long seenAt;
  private boolean writing;

  /**
   * @param gateway the holder; empty when it gave the lease back
   * @param term rises with each change of the holder
   */
  record Lease(String gateway, long term) {}

  /**
   * @param thread runs tasks on the thread that uses the lease
   */
  DutyLease(RecordSet<Lease> records, String gateway, LongSupplier nanoTime, Executor thread) {
    this.records = records;
    this.gateway = gateway;
    this.nanoTime = nanoTime;
    this.thread = thread;
  }

  /** Whether this gateway may do the work now. */
  boolean isHeld() {
    return written != 0 && nanoTime.getAsLong() - writtenAt < VALID_NANOS;
  }

  /** The holder as the record names it; empty if there is none. Any thread may call it. */
  String holder() {
    return records.get(ID).map(lease -> lease.value().gateway()).orElse("");
  }

  /** Renews the lease, or takes it if nobody renews it. */
  void step() {
    if (writing) {
      return;
    }
    long now = nanoTime.getAsLong();
    @Nullable Versioned<Lease> present = records.get(ID).orElse(null);
    long version = present == null ? 0 : present.version();
    long term = present == null ? 0 : present.value().term();
    if (written != 0) {
      if (now - writtenAt >= RENEWAL_NANOS) {
        write(new Lease(gateway, term), written);
      }
      return;
    }
    if (version != seen) {
      seen = version;
      seenAt = now;
    }
    boolean free = present == null || present.value().gateway().isEmpty();
    if (free || now - seenAt >= EXPIRY_NANOS) {
      write(new Lease(gateway, term + 1), version);
    }
  }

  /** Gives the lease back, so that another gateway takes it at once. */
  CompletableFuture<?> release() {
    if (written == 0) {
      return CompletableFuture.completedFuture(null);
    }
    long term = records.get(ID).map(lease -> lease.value().term()).orElse(0L);
    long version = written;
    written = 0;
    writing = true; // Nothing more is written.
    return records.put(ID, new Lease("", term), OptionalLong.of(version), Audit.UNRECORDED);
  }

  private void write(Lease lease, long expected) {
    long began = nanoTime.getAsLong();
    writing = true;
    records
        .put(ID, lease, OptionalLong.of(expected), Audit.UNRECORDED)
        .whenCompleteAsync(
            (outcome, thrown) -> {
              writing = false;
              switch (outcome) {
                case Outcome.Done(long version) -> {
                  written = version;
                  writtenAt = began;
                }
                case Outcome.Conflict _ -> {
                  written = 0;
                  seen = -1;
                }
                case null, default -> {} // The next step tries again.
              }
            },
            thread);
  }
}
