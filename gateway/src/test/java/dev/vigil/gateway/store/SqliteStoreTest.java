package dev.vigil.gateway.store;

import dev.vigil.directory.state.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/** The contract, on SQLite. */
class SqliteStoreTest {
  @Nested
  class Contract extends StoreContractTest {
    @Override
    Store open(Path own) {
      return SqliteStore.open(own);
    }
  }

  @Nested
  class Reading extends StoreReadingContractTest {
    @Override
    Store open(Path own) {
      return SqliteStore.open(own);
    }
  }

  @Nested
  class Concurrency extends StoreConcurrencyContractTest {
    @Override
    Store open(Path own) {
      return SqliteStore.open(own);
    }
  }
}
