package dev.vigil.gateway.store;

import dev.vigil.directory.state.Store;
import java.lang.reflect.Proxy;

/** Stands in a field until a test has opened its store; any use says so. */
final class Unopened {
  static final Store STORE =
      (Store)
          Proxy.newProxyInstance(
              Unopened.class.getClassLoader(),
              new Class<?>[] {Store.class},
              (proxy, method, args) -> {
                throw new IllegalStateException("the store was not opened");
              });

  private Unopened() {}
}
