package dev.vigil.directory.lookup;

import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Topic;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.catalogue.ChangedEntry;
import dev.vigil.directory.publishing.Registration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the observed lookups that a change may affect. A topic encodes the criteria of a lookup.
 * Watched topics are indexed by one of their exact criteria. A change then costs a map access for
 * each of the endpoint's attributes, plus a check of the few lookups without an exact criterion.
 *
 * <p>False positives are allowed: a notified observer repeats the lookup and sends nothing if the
 * answer is unchanged.
 */
public final class ObservedLookups implements Topics.Listener {
  /** Lookups without criteria, which every change affects. */
  private static final Topic ALL = new Topic("rd-lookup");

  /** The links of published endpoints in {@code /.well-known/core}. */
  private static final Topic PUBLISHED = new Topic("rd-published");

  private static final String PREFIX = "rd-lookup?";

  /** Separates criteria; lookups whose criteria contain it share the topic {@link #ALL}. */
  private static final String SEPARATOR = "\u0000";

  /**
   * Maximum number of watched lookups with the same exact criterion, with none, or with the same
   * topic.
   */
  private static final int MAX_PER_KEY = 256;

  private final Topics topics;

  // Guarded by this object's lock.
  private final Map<Query.Parameter, Set<Topic>> byCriterion = new HashMap<>();
  private final Set<Topic> withoutKey = new HashSet<>();
  private final Map<Topic, List<Query.Parameter>> criteria = new HashMap<>();

  public ObservedLookups(Topics topics) {
    this.topics = topics;
    topics.addListener(PREFIX, this);
  }

  /**
   * The topic to watch for changes of a lookup's answer. Empty if the same change would affect too
   * many watched lookups, because each is repeated after the change.
   *
   * @param paged whether the lookup returns a page; any number of pages share a topic
   */
  Optional<Topic> topicOf(List<Query.Parameter> criteria, boolean paged) {
    boolean plain = criteria.stream().noneMatch(p -> (p.name() + p.value()).contains(SEPARATOR));
    Topic topic = criteria.isEmpty() || !plain ? ALL : named(criteria);
    boolean crowded = (paged || !plain) && topics.watchers(topic) >= MAX_PER_KEY;
    return crowded || exceedsLimit(topic, criteria) ? Optional.empty() : Optional.of(topic);
  }

  private static Topic named(List<Query.Parameter> criteria) {
    return new Topic(
        PREFIX
            + String.join(
                SEPARATOR, criteria.stream().map(p -> p.name() + "=" + p.value()).toList()));
  }

  private synchronized boolean exceedsLimit(Topic topic, List<Query.Parameter> wanted) {
    if (topic.equals(ALL) || criteria.containsKey(topic)) {
      return false;
    }
    Set<Topic> sameKey =
        key(wanted).map(one -> byCriterion.getOrDefault(one, Set.of())).orElse(withoutKey);
    return sameKey.size() >= MAX_PER_KEY;
  }

  /**
   * The topic of {@code /.well-known/core}, likewise.
   *
   * @param filtered whether the query has criteria
   */
  Optional<Topic> topicOfWellKnownCore(boolean filtered) {
    boolean crowded = filtered && topics.watchers(PUBLISHED) >= MAX_PER_KEY;
    return crowded ? Optional.empty() : Optional.of(PUBLISHED);
  }

  static Topic topicOfRegistration(String id) {
    return new Topic("rd/" + id);
  }

  @Override
  public synchronized void watched(Topic topic) {
    List<Query.Parameter> wanted = new ArrayList<>();
    for (String criterion : topic.name().substring(PREFIX.length()).split(SEPARATOR)) {
      wanted.add(Query.Parameter.parse(criterion));
    }
    criteria.put(topic, wanted);
    Optional<Query.Parameter> key = key(wanted);
    key.ifPresentOrElse(
        one -> byCriterion.computeIfAbsent(one, any -> new HashSet<>()).add(topic),
        () -> withoutKey.add(topic));
  }

  @Override
  public synchronized void unwatched(Topic topic) {
    List<Query.Parameter> wanted = criteria.remove(topic);
    withoutKey.remove(topic);
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
    return criteria.stream().filter(ChangedEntry::isFoundByValue).findFirst();
  }

  /**
   * Notifies the watchers of all lookups whose answer may have changed.
   *
   * @param states the entry's contents before and after the change; only one of them if the entry
   *     was added or removed
   */
  public void changed(CatalogueEntry entry, List<CatalogueEntry.Content> states) {
    Set<Topic> affected = new HashSet<>();
    synchronized (this) {
      if (!criteria.isEmpty()) {
        states.forEach(content -> addAffected(affected, new ChangedEntry(entry, content)));
      }
    }
    affected.forEach(topics::changed);
    topics.changed(ALL);
    topics.changed(topicOfRegistration(entry.id()));
    if (states.stream().anyMatch(s -> s.origin() instanceof Registration.Published)) {
      topics.changed(PUBLISHED);
    }
  }

  private void addAffected(Set<Topic> affected, ChangedEntry changed) {
    Set<Topic> candidates = new HashSet<>(withoutKey);
    if (!byCriterion.isEmpty()) {
      changed.values().forEach(v -> candidates.addAll(byCriterion.getOrDefault(v, Set.of())));
    }
    for (Topic topic : candidates) {
      if (changed.couldMatch(criteria.getOrDefault(topic, List.of()))) {
        affected.add(topic);
      }
    }
  }
}
