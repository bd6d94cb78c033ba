package dev.vigil.store.contract;

import dev.vigil.store.Store;
import java.lang.reflect.Proxy;

/** Initial value of a store field before a test has opened its store; every call throws. */
public final class UnopenedStore {
  static final Store STORE =
      (Store)
          Proxy.newProxyInstance(
              UnopenedStore.class.getClassLoader(),
              new Class<?>[] {Store.class},
              (proxy, method, args) -> {
                throw new IllegalStateException("the store was not opened");
              });

  private UnopenedStore() {}
}
