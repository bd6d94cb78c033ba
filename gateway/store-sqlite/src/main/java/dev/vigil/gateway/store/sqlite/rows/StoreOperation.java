package dev.vigil.gateway.store.sqlite.rows;

import java.sql.Connection;
import java.sql.SQLException;

/** Work on a connection to the store's file. Work that writes must be bounded. */
@FunctionalInterface
public interface StoreOperation<T> {
  T run(Connection connection) throws SQLException;
}
