package dev.vigil.mirror.state;

import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.NumberFloor;
import dev.vigil.mirror.model.SequenceRule;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import dev.vigil.store.SubmitResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Raises the numbers of a restored store above everything that the gateway may have accepted after
 * the backup (docs/protocol.md section 5.1), so that no message recorded since is accepted as new.
 * It must be applied once, before a mirror opens the store.
 */
public final class RestoreMargin {
  /**
   * Minimum of numbers that each restoration skips. An endpoint that sends once a second uses this
   * many in eight years.
   */
  public static final long LEAST_JUMP = 1L << 28;

  /**
   * Maximum of numbers that a restoration skips. An endpoint accepts an H up to 2^32 above its own
   * number, so it survives two restorations.
   */
  private static final long LARGEST_JUMP = 1L << 31;

  /** A new endpoint counts from one and accepts a number that is at most 2^32 higher. */
  private static final long LARGEST_FLOOR = (1L << 32) - (1 << 20);

  /** Maximum number of batches that wait for the store. */
  private static final int IN_FLIGHT = 1024;

  private final Store store;
  private final Instant now;
  private final long jump;
  private final Map<EndpointName, Numbers> numbers = new HashMap<>();
  private final List<CompletableFuture<SubmitResult>> submitted = new ArrayList<>();
  private long floor;

  /**
   * @param commands the body of the last fact; empty if there is none
   */
  private record Numbers(long high, byte[] commands) {
    static final Numbers NONE = new Numbers(0, new byte[0]);
  }

  private RestoreMargin(Store store, Instant now, long jump) {
    this.store = store;
    this.now = now;
    this.jump = jump;
  }

  /**
   * Raises all numbers.
   *
   * @param elapsed time since the backup; some endpoints take their numbers from a clock in
   *     milliseconds
   * @param note the entry of the audit trail, one line
   * @return the number of endpoints whose numbers were raised
   * @throws CompletionException when the store cannot write
   */
  public static int apply(Store store, Instant now, Duration elapsed, String note) {
    long jump = Math.min(LEAST_JUMP + elapsed.toMillis(), LARGEST_JUMP);
    RestoreMargin margin = new RestoreMargin(store, now, jump);
    store.present(margin::read).close();
    int raised = margin.raiseAll();
    margin.raiseFloor(note);
    margin.await();
    return raised;
  }

  private void read(Change change) {
    if (change.endpoint().ep().equals(StoreSlots.TRUST)) {
      for (Fact fact : change.facts()) {
        if (fact.slot().equals(StoreSlots.FLOOR)) {
          floor = NumberFloor.read(fact.body());
        }
      }
      return;
    }
    Numbers before = numbers.getOrDefault(change.endpoint(), Numbers.NONE);
    byte[] commands = before.commands();
    for (Fact fact : change.facts()) {
      if (fact.slot().equals(StoreSlots.COMMANDS)) {
        commands = fact.body();
      }
    }
    if (change.high() > 0 || commands.length > 0) {
      numbers.put(change.endpoint(), new Numbers(Math.max(before.high(), change.high()), commands));
    }
  }

  private int raiseAll() {
    numbers.forEach((name, before) -> submit(raised(name, before)));
    return numbers.size();
  }

  private Batch raised(EndpointName name, Numbers before) {
    long high = SequenceRule.raised(before.high(), jump);
    List<Fact> facts = new ArrayList<>();
    if (before.commands().length > 0) {
      CommandQueue queue = CommandQueue.read(before.commands());
      long last = SequenceRule.raised(queue.last(), jump);
      facts.add(new Fact(StoreSlots.COMMANDS, 1, new CommandQueue(last, queue.commands()).body()));
    }
    OptionalLong sequence =
        before.high() > 0 && high > before.high() ? OptionalLong.of(high) : OptionalLong.empty();
    return new Batch(name, now, sequence, OptionalLong.empty(), facts);
  }

  /** Names without a number, whether known or unknown, count from the floor. */
  private void raiseFloor(String note) {
    long next = Math.max(floor, Math.min(floor + jump, LARGEST_FLOOR));
    submit(
        new Batch(
            new EndpointName(StoreSlots.TRUST, ""),
            now,
            OptionalLong.empty(),
            OptionalLong.empty(),
            List.of(
                new Fact(StoreSlots.FLOOR, 1, NumberFloor.body(next)),
                BatchFactory.audit(now, note, "", "restore"))));
  }

  private void submit(Batch batch) {
    submitted.add(store.submit(batch));
    if (submitted.size() >= IN_FLIGHT) {
      await();
    }
  }

  private void await() {
    for (CompletableFuture<SubmitResult> one : submitted) {
      if (!(one.join() instanceof SubmitResult.Committed)) {
        throw new IllegalStateException("another process writes to the store");
      }
    }
    submitted.clear();
  }
}
