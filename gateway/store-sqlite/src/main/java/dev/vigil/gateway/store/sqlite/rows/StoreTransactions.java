package dev.vigil.gateway.store.sqlite.rows;

import java.util.concurrent.CompletableFuture;

/** Access to the store's file. */
public interface StoreTransactions {
  /** Runs an operation in a transaction of the store's thread; updates wait for it. */
  <T> CompletableFuture<T> write(StoreOperation<T> operation);

  /** Runs an operation on a connection for reading, on the caller's thread. */
  <T> T read(StoreOperation<T> operation);
}
