package dev.vigil.gateway.tags;

import dev.vigil.gateway.labels.EndpointRecords;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.Presence;
import dev.vigil.store.Store;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** The tags of all endpoints. Thread-safe. */
@Component
public final class TaggedEndpoints implements DisposableBean {
  private final EndpointRecords<EndpointTags> stored;

  /** The number of endpoints with a tag, by domain and tag. Changed in the order of the feed. */
  private final Map<String, NavigableMap<String, Integer>> counts = new ConcurrentHashMap<>();

  public TaggedEndpoints(Records records, MirrorQueries mirror, Store store) {
    this.stored =
        new EndpointRecords<>(
            records.of(EndpointTags.KIND, EndpointTags.class, EndpointTags.MAX), mirror, store);
    stored.onChange(this::count);
  }

  private void count(RecordChange<EndpointTags> change) {
    count(change.before(), -1);
    count(change.after(), 1);
  }

  private void count(@Nullable Versioned<EndpointTags> record, int more) {
    if (record != null) {
      NavigableMap<String, Integer> ofDomain =
          counts.computeIfAbsent(record.value().d(), d -> new ConcurrentSkipListMap<>());
      for (String tag : record.value().tags()) {
        ofDomain.merge(tag, more, (one, other) -> one + other == 0 ? null : one + other);
      }
    }
  }

  /** The tags of an endpoint in alphabetical order. */
  public List<String> of(String id) {
    return stored.get(id).map(record -> record.value().tags()).orElse(List.of());
  }

  /** The version of an endpoint's tags; 0 if it has none. */
  long version(String id) {
    return stored.get(id).map(Versioned::version).orElse(0L);
  }

  /**
   * The number of endpoints with each tag.
   *
   * @param domains only endpoints of these
   */
  NavigableMap<String, Integer> counts(Predicate<String> domains) {
    NavigableMap<String, Integer> sums = new TreeMap<>();
    counts.forEach(
        (d, ofDomain) -> {
          if (!ofDomain.isEmpty() && domains.test(d)) {
            ofDomain.forEach((tag, count) -> sums.merge(tag, count, Integer::sum));
          }
        });
    return sums;
  }

  /**
   * Replaces the tags of an endpoint.
   *
   * @param tags in alphabetical order
   * @param version of the tags that the change is based on; 0: none; empty: any
   * @param by label of the caller
   */
  CompletableFuture<Outcome> put(
      Presence endpoint, List<String> tags, OptionalLong version, String by) {
    Audit audit = new Audit(by, "tagged " + endpoint.ep(), endpoint.d());
    if (!tags.isEmpty()) {
      EndpointTags value = new EndpointTags(endpoint.d(), endpoint.ep(), tags);
      return stored.put(endpoint.id(), value, version, audit);
    }
    if (version(endpoint.id()) == 0 && version.orElse(0) == 0) {
      return CompletableFuture.completedFuture(new Outcome.Done(0));
    }
    return stored.remove(endpoint.id(), version, audit);
  }

  /**
   * Calls a listener with all present tags and then with every change, as {@link
   * EndpointRecords#onChange} does.
   */
  public Store.Subscription onChange(Consumer<RecordChange<EndpointTags>> listener) {
    return stored.onChange(listener);
  }

  @Override
  public void destroy() {
    stored.close();
  }
}
