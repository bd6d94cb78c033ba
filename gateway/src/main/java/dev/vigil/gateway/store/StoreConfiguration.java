package dev.vigil.gateway.store;

import dev.vigil.gateway.config.VigilProperties;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import java.util.function.LongSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Opens the store. The other packages ask for the interfaces that the adapter implements. */
@Configuration(proxyBeanMethods = false)
class StoreConfiguration {
  @Bean
  SqliteStore store(VigilProperties properties, LongSupplier nanoTime) {
    NativeLibraries.unpackBelow(properties.dataFolder());
    return SqliteStore.open(properties.dataFolder(), nanoTime);
  }

  /** Depends on the store, which creates the folder and locks it. */
  @Bean
  DataFolder dataFolder(SqliteStore store) {
    return new DataFolder(store.folder());
  }

  @Bean
  CompanionFiles companionFiles(SqliteStore store) {
    return store.companions();
  }
}
