package dev.vigil.gateway.store;

import dev.vigil.directory.state.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The contract, on SQLite. */
class SqliteStoreTest {
  @Nested
  class Contract extends StoreContractTest {
    @TempDir Path folder = Path.of("");

    @Override
    Store open() {
      return SqliteStore.open(folder);
    }
  }

  @Nested
  class Concurrency extends StoreConcurrencyContractTest {
    @TempDir Path folder = Path.of("");

    @Override
    Store open() {
      return SqliteStore.open(folder);
    }
  }
}
