package dev.vigil.gateway.store;

/** Whether a store can write. */
@FunctionalInterface
public interface StoreHealth {
  /** True while the last attempt to write failed. */
  boolean isFailing();
}
