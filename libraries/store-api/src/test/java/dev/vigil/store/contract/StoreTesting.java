package dev.vigil.store.contract;

import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import dev.vigil.store.SubmitResult;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Builders and readers for tests of stores. */
public final class StoreTesting {
  public static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123456Z");

  private StoreTesting() {}

  public static EndpointName mote(String ep) {
    return new EndpointName(ep, "");
  }

  public static Fact fact(String slot, int keep, String body) {
    return new Fact(slot, keep, body.getBytes(StandardCharsets.UTF_8));
  }

  /** A fact whose slot keeps older facts. */
  public static Fact lasting(String slot, int keep, String body) {
    return new Fact(slot, keep, true, body.getBytes(StandardCharsets.UTF_8));
  }

  public static Batch plain(EndpointName name, Fact... facts) {
    return new Batch(name, NOON, OptionalLong.empty(), OptionalLong.empty(), List.of(facts));
  }

  public static Batch numbered(EndpointName name, long sequence, Fact... facts) {
    return new Batch(name, NOON, OptionalLong.of(sequence), OptionalLong.empty(), List.of(facts));
  }

  public static Batch onVersion(EndpointName name, long version, Fact... facts) {
    return new Batch(name, NOON, OptionalLong.empty(), OptionalLong.of(version), List.of(facts));
  }

  public static SubmitResult outcome(Store store, Batch batch) {
    return store.submit(batch).orTimeout(60, TimeUnit.SECONDS).join();
  }

  /** Submits a batch that must be committed, and returns its change. */
  public static Change committed(Store store, Batch batch) {
    return switch (outcome(store, batch)) {
      case SubmitResult.Committed(Change change) -> change;
      case SubmitResult.SequenceUsed used -> throw new AssertionError(used);
      case SubmitResult.VersionMoved moved -> throw new AssertionError(moved);
    };
  }

  public static String text(Fact fact) {
    return new String(fact.body(), StandardCharsets.UTF_8);
  }

  public static List<String> history(Store store, EndpointName name, String slot) {
    return store.history(name, slot, -1, Integer.MAX_VALUE).stream()
        .map(kept -> new String(kept.body(), StandardCharsets.UTF_8))
        .toList();
  }

  public static List<Change> feed(Store store, long after) {
    List<Change> changes = new ArrayList<>();
    store.changes(after, changes::add).close();
    return changes;
  }

  /** A projection of the feed: each endpoint's state and the facts that its slots keep. */
  public static final class Projection {
    public final Map<String, String> endpoints = new TreeMap<>();
    public final Map<String, List<String>> slots = new TreeMap<>();

    public void fold(Change change) {
      endpoints.put(
          change.endpoint().toString(), change.id() + " " + change.high() + " " + change.version());
      for (Fact fact : change.facts()) {
        String key = change.endpoint() + " " + fact.slot();
        List<String> kept = slots.computeIfAbsent(key, any -> new ArrayList<>());
        if (fact.isNone()) {
          kept.clear();
          continue;
        }
        kept.add(text(fact));
        while (kept.size() > fact.keep()) {
          kept.removeFirst();
        }
      }
      slots.values().removeIf(List::isEmpty);
    }

    /** The newest fact of each slot. */
    public Map<String, String> newest() {
      Map<String, String> newest = new TreeMap<>();
      slots.forEach((slot, bodies) -> newest.put(slot, bodies.getLast()));
      return newest;
    }
  }

  /** A change as text, so that bodies compare by value. */
  public static String describe(Change change) {
    return change.position()
        + " "
        + List.of(change.id(), change.endpoint(), change.at(), change.high(), change.version())
        + change.facts().stream()
            .map(f -> f.slot() + "/" + f.keep() + Arrays.toString(f.body()))
            .toList();
  }
}
