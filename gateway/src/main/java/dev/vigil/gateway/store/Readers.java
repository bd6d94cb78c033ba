package dev.vigil.gateway.store;

import dev.vigil.directory.state.StoreException;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/** A bounded pool of reading connections. */
final class Readers implements AutoCloseable {
  private static final int AT_ONCE = 16;

  private final Database database;
  private final Standings standings;
  private final Semaphore permits = new Semaphore(AT_ONCE);
  private final ConcurrentLinkedQueue<Reader> idle = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  @FunctionalInterface
  interface Reading<T> {
    T with(Reader reader) throws SQLException;
  }

  Readers(Database database, Standings standings) {
    this.database = database;
    this.standings = standings;
  }

  <T> T read(Reading<T> reading) {
    if (closed) {
      throw new StoreException("the store is closed");
    }
    permits.acquireUninterruptibly();
    try {
      Reader reader = idle.poll();
      if (reader == null) {
        reader = new Reader(database.openForReading(), standings);
      }
      T read;
      try {
        read = reading.with(reader);
      } catch (SQLException | RuntimeException e) {
        reader.close();
        throw e;
      }
      idle.add(reader);
      return read;
    } catch (SQLException e) {
      throw database.explain(e);
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
      for (Reader reader = idle.poll(); reader != null; reader = idle.poll()) {
        reader.close();
      }
    } catch (SQLException e) {
      throw database.explain(e);
    }
  }
}
