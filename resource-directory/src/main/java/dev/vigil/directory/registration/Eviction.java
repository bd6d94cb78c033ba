package dev.vigil.directory.registration;

import dev.vigil.directory.catalogue.Catalogue;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.OptimisticCommit;
import dev.vigil.store.OptimisticCommit.Outcome;
import java.time.Clock;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Removes strangers' entries that give way when the directory is full. Safe for use by any number
 * of threads.
 */
public final class Eviction {
  /** Maximum number of entries removed by one {@link #relieve}; each costs a write. */
  private static final int MAX_AT_ONCE = 1000;

  private final OptimisticCommit commits;
  private final Catalogue catalogue;
  private final CapacityLimit capacity;
  private final Clock clock;
  private final AtomicLong evicted = new AtomicLong();

  /** Entries that were left out at the start and are still in the store. */
  private final Queue<LeftOut> leftOut = new ConcurrentLinkedQueue<>();

  private record LeftOut(EndpointName name, long version) {}

  Eviction(OptimisticCommit commits, Catalogue catalogue, CapacityLimit capacity, Clock clock) {
    this.commits = commits;
    this.catalogue = catalogue;
    this.capacity = capacity;
    this.clock = clock;
  }

  /** The number of entries that gave way since the start. */
  public long count() {
    return evicted.get();
  }

  /** Whether entries of the store are left out, or the catalogue exceeds its limit. */
  public boolean isDegraded() {
    return !leftOut.isEmpty() || capacity.isExceeded();
  }

  /**
   * Leaves out entries while the catalogue is being filled from the store, so that a start stays
   * within the present limit. {@link #relieve} removes them from the store.
   *
   * @return the number of entries left out
   */
  public int leaveOut() {
    int count = 0;
    while (capacity.isExceeded()) {
      CatalogueEntry first = catalogue.evictFirst().orElse(null);
      if (first == null) {
        return count;
      }
      catalogue.leaveOut(first);
      leftOut.add(new LeftOut(first.name(), first.content().version()));
      count++;
    }
    return count;
  }

  /** Removes entries until the catalogue is within its limit or no stranger's entry is left. */
  public void relieve() {
    for (int i = 0; i < MAX_AT_ONCE && !leftOut.isEmpty(); i++) {
      removeLeftOut(leftOut.remove());
    }
    for (int i = 0; i < MAX_AT_ONCE && capacity.isExceeded(); i++) {
      List<CatalogueEntry> first = catalogue.evictFirst().stream().toList();
      if (first.isEmpty()) {
        return;
      }
      remove(first);
    }
  }

  private void removeLeftOut(LeftOut entry) {
    commits
        .commit(
            version -> {
              if (version.isPresent() && isRegistered(entry.name())) {
                throw DirectoryRegistrationService.missing();
              }
              return removal(entry.name(), version.orElse(entry.version()));
            })
        .whenComplete(
            (outcome, thrown) -> {
              if (outcome instanceof Outcome.Committed) {
                evicted.incrementAndGet();
              } else if (!isRegistered(entry.name())) {
                leftOut.add(entry);
              }
            });
  }

  /** Whether a name that was left out has been registered since. */
  private boolean isRegistered(EndpointName name) {
    return catalogue.byName(name).isPresent();
  }

  /**
   * Removes entries; an entry that has changed in the meantime stays, and so does another entry
   * that took its place, which has the same id. Other slots of its name, such as a key that waits,
   * may have moved the version.
   */
  void remove(List<CatalogueEntry> entries) {
    for (CatalogueEntry entry : entries) {
      CatalogueEntry.Content chosen = entry.content();
      long octets = Catalogue.octets(chosen);
      capacity.reserve(-octets);
      commits
          .commit(
              version -> {
                if (version.isPresent()
                    && catalogue
                        .byId(entry.id())
                        .filter(e -> e == entry && e.content() == chosen)
                        .isEmpty()) {
                  throw DirectoryRegistrationService.missing();
                }
                return removal(entry.name(), version.orElse(chosen.version()));
              })
          .whenComplete(
              (outcome, thrown) -> {
                capacity.release(-octets);
                if (outcome instanceof Outcome.Committed) {
                  evicted.incrementAndGet();
                } else {
                  catalogue.keep(entry);
                }
              });
    }
  }

  private Batch removal(EndpointName name, long version) {
    return new Batch(
        name,
        clock.instant(),
        OptionalLong.empty(),
        OptionalLong.of(version),
        List.of(Fact.none(Registration.SLOT)));
  }
}
