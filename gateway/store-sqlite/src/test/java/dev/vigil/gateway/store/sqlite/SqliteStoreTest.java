package dev.vigil.gateway.store.sqlite;

import dev.vigil.store.OlderFacts;
import dev.vigil.store.Store;
import dev.vigil.store.contract.OlderFactsContract;
import dev.vigil.store.contract.StoreConcurrencyContract;
import dev.vigil.store.contract.StoreReadingContract;
import dev.vigil.store.contract.StoreWritingContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/** The contract of the store, run on SQLite. */
class SqliteStoreTest {
  @Nested
  class Writing extends StoreWritingContract {
    @Override
    protected Store open(Path own) {
      return SqliteStore.open(own, System::nanoTime);
    }
  }

  @Nested
  class Reading extends StoreReadingContract {
    @Override
    protected Store open(Path own) {
      return SqliteStore.open(own, System::nanoTime);
    }
  }

  @Nested
  class Concurrency extends StoreConcurrencyContract {
    @Override
    protected Store open(Path own) {
      return SqliteStore.open(own, System::nanoTime);
    }
  }

  @Nested
  class Older extends OlderFactsContract {
    @Override
    protected Store open(Path own) {
      return SqliteStore.open(own, System::nanoTime);
    }

    @Override
    protected OlderFacts older(Store opened) {
      return ((SqliteStore) opened).olderFacts();
    }
  }
}
