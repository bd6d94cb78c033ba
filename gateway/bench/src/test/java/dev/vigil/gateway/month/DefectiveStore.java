package dev.vigil.gateway.month;

import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.sqlite.rows.CheckedTables;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.Fact;
import dev.vigil.store.ForwardingStore;
import dev.vigil.store.Store;
import dev.vigil.store.SubmitResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A store with one of the deliberate defects. */
final class DefectiveStore extends ForwardingStore {
  private final Defect defect;

  private DefectiveStore(Store store, Defect defect) {
    super(store);
    this.defect = defect;
  }

  static Store of(Store store, Defect defect) {
    return switch (defect) {
      case LOSES_READINGS, ANSWERS_UNSTORED -> new DefectiveStore(store, defect);
      default -> store;
    };
  }

  @Override
  public CompletableFuture<SubmitResult> submit(Batch batch) {
    return defect == Defect.LOSES_READINGS
        ? super.submit(withoutSomeReadings(batch))
        : super.submit(batch).exceptionally(failure -> committed(batch));
  }

  private static Batch withoutSomeReadings(Batch batch) {
    boolean lost = batch.sequence().orElse(0) % 16 == 7;
    List<Fact> kept =
        batch.facts().stream()
            .filter(fact -> !lost || !fact.slot().startsWith(StoreSlots.VALUE))
            .toList();
    return new Batch(batch.endpoint(), batch.at(), batch.sequence(), batch.version(), kept);
  }

  private SubmitResult committed(Batch batch) {
    String id = endpoint(batch.endpoint()).map(Endpoint::id).orElse("0");
    long high = batch.sequence().orElse(0);
    return new SubmitResult.Committed(
        new Change(0, id, batch.endpoint(), batch.at(), high, 0, batch.facts()));
  }

  /** Puts the counters back to their state at the end of run 0, before any later run. */
  static void forgetCounters(Path root, Path data, int run) throws IOException {
    Path first = root.resolve("counters-of-run-0");
    Path counters = data.resolve(Companion.COUNTERS.file());
    if (run == 1) {
      Files.copy(counters, first);
    } else if (run > 1) {
      Files.copy(first, counters, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Takes H from an endpoint: the defect {@link Defect#FORGETS_NUMBERS}. */
  static void countFromZero(Path data, String ep) {
    try (Connection connection =
        DriverManager.getConnection("jdbc:sqlite:" + data.resolve("vigil.db"))) {
      String change =
          "UPDATE fact SET high = 0, sequence = 0 WHERE endpoint IN"
              + " (SELECT number FROM endpoint WHERE ep = ?)";
      try (PreparedStatement statement = connection.prepareStatement(change)) {
        statement.setString(1, ep);
        statement.executeUpdate();
        CheckedTables.renew(connection);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
