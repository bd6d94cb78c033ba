package dev.vigil.store;

import dev.vigil.store.contract.OlderFactsContract;
import dev.vigil.store.contract.StoreReadingContract;
import dev.vigil.store.contract.StoreWritingContract;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** The memory store passes the contracts of reading, writing and older facts. */
class MemoryStoreTest {
  /** The stores by folder, so that a reopened store has its former state. */
  private static Store at(Map<Path, MemoryStore> stores, Path folder) {
    return stores.computeIfAbsent(folder, any -> new MemoryStore()).open();
  }

  @Nested
  class Writing extends StoreWritingContract {
    private final Map<Path, MemoryStore> stores = new HashMap<>();

    @Override
    protected Store open(Path own) {
      return at(stores, own);
    }
  }

  @Nested
  class Reading extends StoreReadingContract {
    private final Map<Path, MemoryStore> stores = new HashMap<>();

    @Override
    protected Store open(Path own) {
      return at(stores, own);
    }
  }

  @Nested
  class Older extends OlderFactsContract {
    private final Map<Path, MemoryStore> stores = new HashMap<>();

    @Override
    protected Store open(Path own) {
      return at(stores, own);
    }

    @Override
    protected OlderFacts older(Store opened) {
      return (MemoryStore) opened;
    }
  }
}
