package dev.vigil.gateway.store;

import dev.vigil.store.OlderFacts;
import dev.vigil.store.Store;
import java.nio.file.Path;
import java.util.Optional;

/** The store of this gateway with everything that is kept beside it in the data folder. */
public interface GatewayStore extends Store, StoreStatistics, StoreHealth {
  /** The data folder, which exists and is locked. */
  Path folder();

  /** The position of the newest change that this gateway has. */
  long position();

  AggregateStore aggregates();

  /** The superseded facts that stay in histories. */
  OlderFacts olderFacts();

  CompanionFiles companions();

  /** The contact with the servers of a cluster; empty without one. */
  default Optional<ClusterContact> contact() {
    return Optional.empty();
  }
}
