package dev.vigil.gateway.store.sqlite;

import dev.vigil.store.StoreException;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/** A bounded pool of connections for reading. */
final class StoreReaderPool implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 16;

  private final SqliteDatabase database;
  private final EndpointStateIndex index;
  private final Semaphore permits = new Semaphore(MAX_CONNECTIONS);
  private final ConcurrentLinkedQueue<StoreReader> idle = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  @FunctionalInterface
  interface Query<T> {
    T run(StoreReader reader) throws SQLException;
  }

  StoreReaderPool(SqliteDatabase database, EndpointStateIndex index) {
    this.database = database;
    this.index = index;
  }

  <T> T read(Query<T> query) {
    if (closed) {
      throw new StoreException("the store is closed");
    }
    permits.acquireUninterruptibly();
    try {
      StoreReader reader = idle.poll();
      if (reader == null) {
        reader = new StoreReader(database.openForReading(), index);
      }
      T result;
      try {
        result = query.run(reader);
      } catch (SQLException | RuntimeException e) {
        reader.close();
        throw e;
      }
      idle.add(reader);
      return result;
    } catch (SQLException e) {
      throw database.explainAndNote(e);
    } finally {
      permits.release();
      if (closed) {
        closeIdle();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    closeIdle();
  }

  private void closeIdle() {
    try {
      for (StoreReader reader = idle.poll(); reader != null; reader = idle.poll()) {
        reader.close();
      }
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }
}
