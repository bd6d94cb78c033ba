package dev.vigil.gateway.store.sqlite;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.mote;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Removal of an endpoint together with its trail. */
class ClearedTrailTest {
  private static final String SLOT = "audit";

  private static Batch batch(EndpointName name, Fact fact) {
    return new Batch(
        name, Instant.EPOCH, OptionalLong.empty(), OptionalLong.empty(), List.of(fact));
  }

  @Test
  void aClearedTrailIsNoLongerReadable(@TempDir Path folder) {
    try (Store store = SqliteStore.open(folder, System::nanoTime)) {
      for (String name : List.of("mote-1", "mote-2")) {
        committed(store, batch(mote(name), new Fact(SLOT, Fact.KEEP_ALL, new byte[] {1})));
      }
      committed(store, batch(mote("mote-1"), Fact.none(SLOT)));

      assertThat(store.trail(SLOT, mote("mote-1"), 0, 10)).isEmpty();
      assertThat(store.trailBack(SLOT, mote("mote-1"), Long.MAX_VALUE, 10)).isEmpty();
      assertThat(store.trail(SLOT, null, 0, 10)).hasSize(1);
      assertThat(store.trailBack(SLOT, null, Long.MAX_VALUE, 10)).hasSize(1);
    }
  }
}
