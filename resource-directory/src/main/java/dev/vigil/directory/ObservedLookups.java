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
  static final Topic ALL = new Topic("rd-lookup");

  /** What the mirror serves, in {@code /.well-known/core}. */
  private static final Topic MIRRORED = new Topic("rd-mirrored");

  private static final String PREFIX = "rd-lookup?";

  /** Between criteria; those that hold it are not told apart. */
  private static final String SEPARATOR = "\u0000";

  /** Lookups that are found by the same criterion, or by none, and pages of one lookup. */
  private static final int MOST_ALIKE = 256;

  private final Topics topics;

  // Guarded by this object's lock.
  private final Map<Query.Parameter, Set<Topic>> byCriterion = new HashMap<>();
  private final Set<Topic> others = new HashSet<>();
  private final Map<Topic, List<Query.Parameter>> criteria = new HashMap<>();

  ObservedLookups(Topics topics) {
    this.topics = topics;
    topics.follow(PREFIX, this);
  }

  /**
   * What to watch to learn that a lookup may be answered otherwise now. None where too many are
   * watched already that one change has to do with, and each of which is asked again then.
   *
   * @param page a part of the answer only: of these there are any number with one topic
   */
  Optional<Topic> of(List<Query.Parameter> criteria, boolean page) {
    boolean plain = criteria.stream().noneMatch(p -> (p.name() + p.value()).contains(SEPARATOR));
    Topic topic = criteria.isEmpty() || !plain ? ALL : named(criteria);
    boolean crowded = (page || !plain) && topics.watchers(topic) >= MOST_ALIKE;
    return crowded || isOneTooMany(topic, criteria) ? Optional.empty() : Optional.of(topic);
  }

  private static Topic named(List<Query.Parameter> criteria) {
    return new Topic(
        PREFIX
            + String.join(
                SEPARATOR, criteria.stream().map(p -> p.name() + "=" + p.value()).toList()));
  }

  private synchronized boolean isOneTooMany(Topic topic, List<Query.Parameter> wanted) {
    if (topic.equals(ALL) || criteria.containsKey(topic)) {
      return false;
    }
    Set<Topic> alike =
        key(wanted).map(one -> byCriterion.getOrDefault(one, Set.of())).orElse(others);
    return alike.size() >= MOST_ALIKE;
  }

  /**
   * What to watch of {@code /.well-known/core}, likewise.
   *
   * @param filtered a part of it only
   */
  Optional<Topic> ofMirror(boolean filtered) {
    boolean crowded = filtered && topics.watchers(MIRRORED) >= MOST_ALIKE;
    return crowded ? Optional.empty() : Optional.of(MIRRORED);
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
