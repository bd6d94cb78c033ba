package dev.vigil.gateway.network;

import dev.vigil.gateway.api.FeatureEvent;
import dev.vigil.gateway.network.SampledThing.Key;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The changes between samples. The last event of each thing is kept, so that clients can resume.
 * Nothing here is in the store: a position says how far the feed was when a change was seen. Not
 * safe for use by several threads.
 */
final class SampleLog {
  /** Counters are published at most once per interval. */
  static final long REFRESH_MILLIS = 10_000;

  /** The maximum number of removed things whose last event is kept. */
  static final int MAX_GONE = 1_000;

  private final Set<String> lists;
  private final Map<Key, Sent> present = new LinkedHashMap<>();

  /** Removed things by the names and ids of their events. */
  private final Map<Key, FeatureEvent> gone = new LinkedHashMap<>();

  /** The events of the last sample. */
  private List<FeatureEvent> last = List.of();

  /** Changes seen before this position are not known in full; -1 before the first sample. */
  private long oldest = -1;

  private record Sent(SampledThing thing, FeatureEvent event, long atMillis) {}

  /**
   * @param lists events after which clients read everything again
   */
  SampleLog(Set<String> lists) {
    this.lists = lists;
  }

  /**
   * Takes the next sample.
   *
   * @param position of the feed
   * @param nowMillis unix time
   * @return events about what changed
   */
  List<FeatureEvent> observe(List<SampledThing> sample, long position, long nowMillis) {
    if (oldest < 0) {
      oldest = position;
    }
    List<FeatureEvent> events = new ArrayList<>();
    for (SampledThing thing : sample) {
      Sent sent = present.get(thing.key());
      if (sent == null || isDue(sent, thing, nowMillis)) {
        Key key = thing.key();
        FeatureEvent event = event(key.event(), key.id(), thing.d(), position, thing.data());
        present.put(key, new Sent(thing, event, nowMillis));
        gone.remove(goneKey(key));
        events.add(event);
      }
    }
    Set<Key> sampled = sample.stream().map(SampledThing::key).collect(Collectors.toSet());
    List<Sent> missing =
        present.values().stream().filter(sent -> !sampled.contains(sent.thing().key())).toList();
    for (Sent sent : missing) {
      FeatureEvent event = remove(sent.thing(), position);
      if (event != null) {
        events.add(event);
      }
    }
    last = List.copyOf(events);
    return last;
  }

  /**
   * Records that the streams have the events of the last sample.
   *
   * @param position of the feed. Streams may send changes up to it before these events: a client
   *     that resumes from there may lack the events
   */
  void sent(long position) {
    for (FeatureEvent event : last) {
      FeatureEvent later = event(event.name(), event.id(), event.d(), position, event.data());
      Key key = new Key(event.name(), event.id());
      present.computeIfPresent(key, (k, one) -> new Sent(one.thing(), later, one.atMillis()));
      gone.computeIfPresent(key, (k, one) -> later);
    }
    last = List.of();
  }

  private static boolean isDue(Sent sent, SampledThing thing, long nowMillis) {
    return !sent.thing().state().equals(thing.state())
        || !sent.thing().figures().equals(thing.figures())
            && Math.abs(nowMillis - sent.atMillis()) >= REFRESH_MILLIS;
  }

  private @Nullable FeatureEvent remove(SampledThing thing, long position) {
    Key key = thing.key();
    present.remove(key);
    Object data = thing.gone();
    if (data == null) {
      return null;
    }
    Key goneKey = goneKey(key);
    FeatureEvent event = event(goneKey.event(), key.id(), thing.d(), position, data);
    gone.put(goneKey, event);
    if (gone.size() > MAX_GONE) {
      FeatureEvent first = gone.remove(gone.keySet().iterator().next());
      oldest = first == null ? oldest : Math.max(oldest, first.position() + 1);
    }
    return event;
  }

  private static Key goneKey(Key key) {
    return new Key(key.event() + "-gone", key.id());
  }

  private static FeatureEvent event(
      String name, String id, @Nullable String d, long position, Object data) {
    return new FeatureEvent(name, id, d, position, false, data);
  }

  /**
   * The last events about everything that may have changed since a client received a position. If
   * that is too long ago, the events after which it reads everything again come first.
   */
  List<FeatureEvent> since(long position) {
    Stream<FeatureEvent> kept =
        Stream.concat(present.values().stream().map(Sent::event), gone.values().stream());
    boolean again = position < oldest;
    return kept.filter(
            event -> event.position() >= position || again && lists.contains(event.name()))
        .sorted(Comparator.comparing(event -> !lists.contains(event.name())))
        .toList();
  }
}
