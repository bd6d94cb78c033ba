package dev.vigil.gateway.wiring;

import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.gateway.store.DataFolder;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.gateway.store.sqlite.folder.NativeLibraries;
import dev.vigil.gateway.tracing.Tracing;
import dev.vigil.store.OlderFacts;
import dev.vigil.store.Store;
import java.util.function.LongSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Opens the store. The other packages ask for the interfaces that the adapter implements. */
@Configuration(proxyBeanMethods = false)
class StoreConfiguration {
  @Bean
  SqliteStore store(VigilProperties properties, LongSupplier nanoTime) {
    NativeLibraries.unpackBelow(properties.dataFolder());
    return SqliteStore.open(properties.dataFolder(), nanoTime);
  }

  /**
   * The store that other beans use; where requests are traced, it records spans of their commits.
   */
  @Bean(destroyMethod = "")
  @Primary
  Store tracedStore(SqliteStore store, Tracing tracing) {
    return tracing.traced(store);
  }

  /** Depends on the store, which creates the folder and locks it. */
  @Bean
  DataFolder dataFolder(SqliteStore store) {
    return new DataFolder(store.folder());
  }

  @Bean
  AggregateStore aggregateStore(SqliteStore store) {
    return store.aggregates();
  }

  @Bean
  OlderFacts olderFacts(SqliteStore store) {
    return store.olderFacts();
  }

  @Bean
  CompanionFiles companionFiles(SqliteStore store) {
    return store.companions();
  }
}
