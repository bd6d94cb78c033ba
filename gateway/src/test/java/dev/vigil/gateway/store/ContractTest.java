package dev.vigil.gateway.store;

import static dev.vigil.gateway.store.Given.mote;

import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store of some adapter, opened for each test. */
abstract class ContractTest {
  static final EndpointName MOTE = mote("mote-1");

  @TempDir Path folder = Path.of("");
  Store store = Unopened.STORE;

  /**
   * Opens the store of this test, with whatever an earlier opening left in it.
   *
   * @param own the test's own folder
   */
  abstract Store open(Path own);

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
