package dev.vigil.store.contract;

import static dev.vigil.store.contract.StoreTesting.mote;

import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Opens the adapter's store for each test. */
public abstract class StoreTestBase {
  static final EndpointName MOTE = mote("mote-1");

  @TempDir Path folder = Path.of("");
  Store store = UnopenedStore.STORE;

  /**
   * Opens the store of this test with its former state.
   *
   * @param own folder that only this test uses
   */
  protected abstract Store open(Path own);

  @BeforeEach
  void openStore() {
    store = open(folder);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  void reopen() {
    store.close();
    store = open(folder);
  }
}
