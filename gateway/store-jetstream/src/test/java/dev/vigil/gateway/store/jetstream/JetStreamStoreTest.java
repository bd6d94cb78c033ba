package dev.vigil.gateway.store.jetstream;

import dev.vigil.store.OlderFacts;
import dev.vigil.store.Store;
import dev.vigil.store.contract.OlderFactsContract;
import dev.vigil.store.contract.StoreConcurrencyContract;
import dev.vigil.store.contract.StoreReadingContract;
import dev.vigil.store.contract.StoreWritingContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The contract of the store, run on three servers. Each test has its own stream. */
@NeedsNatsServer
class JetStreamStoreTest {
  private static Store openStore(Path own) {
    return JetStreamStore.open(
        NatsCluster.shared().options(own.getFileName().toString()),
        own,
        NatsCluster.RANDOM,
        System::nanoTime);
  }

  @Nested
  class Writing extends StoreWritingContract {
    @Override
    protected Store open(Path own) {
      return openStore(own);
    }
  }

  @Nested
  class Reading extends StoreReadingContract {
    @Override
    protected Store open(Path own) {
      return openStore(own);
    }
  }

  @Nested
  class Concurrency extends StoreConcurrencyContract {
    @Override
    protected Store open(Path own) {
      return openStore(own);
    }
  }

  /** Thousands of changes of one endpoint, one after the other; the replica's code is SQLite's. */
  @Nested
  @EnabledIfEnvironmentVariable(
      named = "VIGIL_TEST_ALL",
      matches = "1",
      disabledReason = "only with ./vigil test --all")
  class Older extends OlderFactsContract {
    @Override
    protected Store open(Path own) {
      return openStore(own);
    }

    @Override
    protected OlderFacts older(Store opened) {
      return ((JetStreamStore) opened).olderFacts();
    }
  }
}
