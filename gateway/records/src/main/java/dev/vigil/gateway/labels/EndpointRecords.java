package dev.vigil.gateway.labels;

import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Change;
import dev.vigil.store.Store;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Records about endpoints. They are kept under the ids of their endpoints and forgotten with them:
 * an endpoint that registers later under the same name is a different one.
 */
public final class EndpointRecords<T> implements AutoCloseable {
  private final RecordSet<T> stored;
  private final MirrorQueries mirror;
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final Store.Subscription following;

  public EndpointRecords(RecordSet<T> stored, MirrorQueries mirror, Store store) {
    this.stored = stored;
    this.mirror = mirror;
    this.following = store.changes(mirror.position(), this::forgetRemoved);
    stored.onChange(this::index);
  }

  /** A record may be written after its endpoint was forgotten, also by another gateway. */
  private void index(RecordChange<T> change) {
    if (change.after() == null) {
      known.remove(change.id());
    } else {
      known.add(change.id());
      forgetUnlessPresent(change.id());
    }
  }

  /** Called on the feed's thread, after the mirror has applied the change. */
  private void forgetRemoved(Change change) {
    if (known.contains(change.id())) {
      forgetUnlessPresent(change.id());
    }
  }

  private void forgetUnlessPresent(String id) {
    if (mirror.presence(id).isEmpty()) {
      stored.remove(id, OptionalLong.empty(), Audit.UNRECORDED);
    }
  }

  /** The record of an endpoint. */
  public Optional<Versioned<T>> get(String id) {
    return stored.get(id);
  }

  /** As {@link RecordSet#put}. */
  public CompletableFuture<Outcome> put(String id, T value, OptionalLong version, Audit audit) {
    return stored.put(id, value, version, audit);
  }

  /** As {@link RecordSet#remove}. */
  public CompletableFuture<Outcome> remove(String id, OptionalLong version, Audit audit) {
    return stored.remove(id, version, audit);
  }

  /** As {@link RecordSet#onChange}. */
  public Store.Subscription onChange(Consumer<RecordChange<T>> listener) {
    return stored.onChange(listener);
  }

  @Override
  public void close() {
    following.close();
  }
}
