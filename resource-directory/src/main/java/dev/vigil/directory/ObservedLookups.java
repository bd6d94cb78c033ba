package dev.vigil.directory;

import dev.vigil.directory.catalogue.Entry;
import dev.vigil.directory.catalogue.Touched;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.exchange.Topic;
import dev.vigil.directory.exchange.Topics;
import dev.vigil.directory.registration.Registration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which observed lookups a change can have to do with. A topic holds the criteria of a lookup;
 * those that are watched are kept by one of their exact criteria, so that a change costs what the
 * changed endpoint's own attributes lead to, and those few lookups that have none.
 *
 * <p>It errs on the side of telling: whoever is told asks again, and says nothing when the answer
 * is the same.
 */
final class ObservedLookups implements Topics.Follower {
  /** Lookups without criteria, which every change has to do with. */
  private static final Topic ALL = new Topic("rd-lookup");

  /** What the mirror serves, in {@code /.well-known/core}. */
  private static final Topic MIRRORED = new Topic("rd-mirrored");

  private static final String PREFIX = "rd-lookup?";

  /** Between criteria; those that hold it are not told apart. */
  private static final String SEPARATOR = "\u0000";

  private final Topics topics;

  // Guarded by this object's lock.
  private final Map<Query.Parameter, Set<Topic>> byCriterion = new HashMap<>();
  private final Set<Topic> others = new HashSet<>();
  private final Map<Topic, List<Query.Parameter>> criteria = new HashMap<>();

  ObservedLookups(Topics topics) {
    this.topics = topics;
    topics.follow(PREFIX, this);
  }

  static Topic of(List<Query.Parameter> criteria) {
    boolean plain = criteria.stream().noneMatch(p -> (p.name() + p.value()).contains(SEPARATOR));
    if (criteria.isEmpty() || !plain) {
      return ALL;
    }
    return new Topic(
        PREFIX
            + String.join(
                SEPARATOR, criteria.stream().map(p -> p.name() + "=" + p.value()).toList()));
  }

  static Topic ofMirror() {
    return MIRRORED;
  }

  static Topic ofRegistration(String id) {
    return new Topic("rd/" + id);
  }

  @Override
  public synchronized void begun(Topic topic) {
    List<Query.Parameter> wanted = new ArrayList<>();
    for (String criterion : topic.name().substring(PREFIX.length()).split(SEPARATOR)) {
      wanted.add(Query.Parameter.parse(criterion));
    }
    criteria.put(topic, wanted);
    Optional<Query.Parameter> key = key(wanted);
    key.ifPresentOrElse(
        one -> byCriterion.computeIfAbsent(one, any -> new HashSet<>()).add(topic),
        () -> others.add(topic));
  }

  @Override
  public synchronized void ended(Topic topic) {
    List<Query.Parameter> wanted = criteria.remove(topic);
    others.remove(topic);
    if (wanted != null) {
      key(wanted)
          .ifPresent(
              one ->
                  byCriterion.computeIfPresent(
                      one,
                      (same, set) -> {
                        set.remove(topic);
                        return set.isEmpty() ? null : set;
                      }));
    }
  }

  private static Optional<Query.Parameter> key(List<Query.Parameter> criteria) {
    return criteria.stream().filter(Touched::isFoundByValue).findFirst();
  }

  /**
   * Tells the watchers of all lookups that may be answered otherwise now.
   *
   * @param states what was known of the entry, and what is known now, as far as there was or is
   *     something to show
   */
  void changed(Entry entry, List<Entry.Content> states) {
    Set<Topic> affected = new HashSet<>();
    synchronized (this) {
      if (!criteria.isEmpty()) {
        states.forEach(content -> addAffected(affected, new Touched(entry, content)));
      }
    }
    affected.forEach(topics::changed);
    topics.changed(ALL);
    topics.changed(ofRegistration(entry.id()));
    if (states.stream().anyMatch(s -> s.origin() instanceof Registration.Mirrored)) {
      topics.changed(MIRRORED);
    }
  }

  private void addAffected(Set<Topic> affected, Touched touched) {
    Set<Topic> candidates = new HashSet<>(others);
    if (!byCriterion.isEmpty()) {
      touched.values().forEach(v -> candidates.addAll(byCriterion.getOrDefault(v, Set.of())));
    }
    for (Topic topic : candidates) {
      if (touched.couldMatch(criteria.getOrDefault(topic, List.of()))) {
        affected.add(topic);
      }
    }
  }
}
