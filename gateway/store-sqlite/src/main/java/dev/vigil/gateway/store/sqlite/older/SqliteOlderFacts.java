package dev.vigil.gateway.store.sqlite.older;

import dev.vigil.gateway.store.sqlite.rows.StoreTransactions;
import dev.vigil.store.EndpointName;
import dev.vigil.store.OlderFacts;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Removes older facts from the store's file, a bounded number in one transaction. */
public final class SqliteOlderFacts implements OlderFacts {
  private static final String OCTETS = "SELECT coalesce(sum(octets), 0) FROM older_slot";

  private final StoreTransactions transactions;

  /** The slot that {@link #expire} examined last; used only by the store's thread. */
  private long examined;

  public SqliteOlderFacts(StoreTransactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public CompletableFuture<Removed> expire(Function<EndpointName, Instant> oldest) {
    return transactions.write(
        connection -> {
          OlderFactRemoval removal = new OlderFactRemoval(connection);
          examined = removal.expire(examined, oldest);
          return new Removed(removal.facts(), examined == 0);
        });
  }

  @Override
  public CompletableFuture<Removed> shrink() {
    return transactions.write(
        connection -> {
          OlderFactRemoval removal = new OlderFactRemoval(connection);
          boolean complete = !removal.shrink();
          return new Removed(removal.facts(), complete);
        });
  }

  @Override
  public long octets() {
    return transactions.read(
        connection -> {
          try (PreparedStatement select = connection.prepareStatement(OCTETS);
              ResultSet row = select.executeQuery()) {
            return row.getLong(1);
          }
        });
  }
}
