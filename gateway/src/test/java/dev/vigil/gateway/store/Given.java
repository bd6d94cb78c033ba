package dev.vigil.gateway.store;

import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Outcome;
import dev.vigil.directory.state.Store;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Short words for the store's tests. */
final class Given {
  static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123456Z");

  private Given() {}

  static EndpointName mote(String ep) {
    return new EndpointName(ep, "");
  }

  static Fact fact(String slot, int keep, String body) {
    return new Fact(slot, keep, body.getBytes(StandardCharsets.UTF_8));
  }

  static Batch plain(EndpointName name, Fact... facts) {
    return new Batch(name, NOON, OptionalLong.empty(), OptionalLong.empty(), List.of(facts));
  }

  static Batch numbered(EndpointName name, long sequence, Fact... facts) {
    return new Batch(name, NOON, OptionalLong.of(sequence), OptionalLong.empty(), List.of(facts));
  }

  static Batch onVersion(EndpointName name, long version, Fact... facts) {
    return new Batch(name, NOON, OptionalLong.empty(), OptionalLong.of(version), List.of(facts));
  }

  static Outcome outcome(Store store, Batch batch) {
    return store.submit(batch).orTimeout(20, TimeUnit.SECONDS).join();
  }

  /** The change of a batch that has to land. */
  static Change land(Store store, Batch batch) {
    return switch (outcome(store, batch)) {
      case Outcome.Landed(Change change) -> change;
      case Outcome.SequenceUsed used -> throw new AssertionError(used);
      case Outcome.VersionMoved moved -> throw new AssertionError(moved);
    };
  }

  static String text(Fact fact) {
    return new String(fact.body(), StandardCharsets.UTF_8);
  }

  static List<String> history(Store store, EndpointName name, String slot) {
    return store.history(name, slot, -1, Integer.MAX_VALUE).stream()
        .map(kept -> new String(kept.body(), StandardCharsets.UTF_8))
        .toList();
  }

  static List<Change> feed(Store store, long after) {
    List<Change> changes = new ArrayList<>();
    store.changes(after, changes::add).close();
    return changes;
  }

  /** What a projection of the feed knows: where each endpoint stands and what its slots keep. */
  static final class Projection {
    final Map<String, String> standing = new TreeMap<>();
    final Map<String, List<String>> slots = new TreeMap<>();

    void see(Change change) {
      standing.put(
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
  }

  /** A change as text, so that octets compare by value. */
  static String told(Change change) {
    return change.position()
        + " "
        + List.of(change.id(), change.endpoint(), change.at(), change.high(), change.version())
        + change.facts().stream()
            .map(f -> f.slot() + "/" + f.keep() + Arrays.toString(f.body()))
            .toList();
  }
}
