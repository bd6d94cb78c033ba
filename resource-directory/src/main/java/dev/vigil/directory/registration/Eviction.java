package dev.vigil.directory.registration;

import dev.vigil.directory.catalogue.Catalogue;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.store.Batch;
import dev.vigil.store.Fact;
import dev.vigil.store.OptimisticCommit;
import dev.vigil.store.OptimisticCommit.Outcome;
import java.time.Clock;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** Removes strangers' entries that give way when the directory is full. Any number of threads. */
final class Eviction {
  /** Entries removed by one {@link #relieve}: each costs a write. */
  private static final int MAX_AT_ONCE = 1000;

  private final OptimisticCommit commits;
  private final Catalogue catalogue;
  private final CapacityLimit capacity;
  private final Clock clock;
  private final AtomicLong evicted = new AtomicLong();

  Eviction(OptimisticCommit commits, Catalogue catalogue, CapacityLimit capacity, Clock clock) {
    this.commits = commits;
    this.catalogue = catalogue;
    this.capacity = capacity;
    this.clock = clock;
  }

  /** The number of entries that gave way since the start. */
  long count() {
    return evicted.get();
  }

  /** Removes entries until the catalogue holds no more than it may, or no stranger's is left. */
  void relieve() {
    for (int i = 0; i < MAX_AT_ONCE && capacity.isExceeded(); i++) {
      List<CatalogueEntry> first = catalogue.evictFirst().stream().toList();
      if (first.isEmpty()) {
        return;
      }
      remove(first);
    }
  }

  /** Removes entries; one that has changed meanwhile stays. */
  void remove(List<CatalogueEntry> entries) {
    for (CatalogueEntry entry : entries) {
      long octets = Catalogue.octets(entry.content());
      capacity.reserve(-octets);
      commits
          .commit(version -> removal(entry, version))
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

  private Batch removal(CatalogueEntry entry, OptionalLong moved) {
    if (moved.isPresent()) {
      throw RegistrationService.missing();
    }
    return new Batch(
        entry.name(),
        clock.instant(),
        OptionalLong.empty(),
        OptionalLong.of(entry.content().version()),
        List.of(Fact.none(Registration.SLOT)));
  }
}
