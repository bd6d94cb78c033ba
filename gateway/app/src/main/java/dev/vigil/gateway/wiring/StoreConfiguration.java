package dev.vigil.gateway.wiring;

import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.gateway.store.DataFolder;
import dev.vigil.gateway.store.GatewayStore;
import dev.vigil.gateway.store.jetstream.ClusterOptions;
import dev.vigil.gateway.store.jetstream.ClusterSecurity;
import dev.vigil.gateway.store.jetstream.JetStreamStore;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.gateway.store.sqlite.folder.NativeLibraries;
import dev.vigil.gateway.tracing.Tracing;
import dev.vigil.store.OlderFacts;
import dev.vigil.store.Store;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Opens the store. The other packages ask for the interfaces that the adapter implements. */
@Configuration(proxyBeanMethods = false)
class StoreConfiguration {
  /** The time after which an update is refused while the cluster is unavailable. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Bean
  GatewayStore store(
      VigilProperties properties,
      ClusterRepairs repairs,
      SecureRandom random,
      Clock clock,
      LongSupplier nanoTime) {
    Path folder = properties.dataFolder();
    NativeLibraries.unpackBelow(folder);
    ClusterProperties cluster = properties.cluster();
    if (!cluster.isShared()) {
      return SqliteStore.open(folder, nanoTime);
    }
    return JetStreamStore.open(options(cluster), folder, random, clock, nanoTime, repairs);
  }

  private static ClusterOptions options(ClusterProperties cluster) {
    ClusterSecurity security =
        new ClusterSecurity(
            file(cluster.ca()),
            file(cluster.certificate()),
            file(cluster.key()),
            file(cluster.credentials()));
    return new ClusterOptions(
        cluster.servers(),
        cluster.stream(),
        security,
        cluster.allowWeakStore() ? 1 : ClusterOptions.MIN_REPLICAS,
        cluster.allowWeakStore(),
        cluster.adopt(),
        PATIENCE);
  }

  private static @Nullable Path file(String name) {
    return name.isEmpty() ? null : Path.of(name);
  }

  /**
   * The store that other beans use; where requests are traced, it records spans of their commits.
   */
  @Bean(destroyMethod = "")
  @Primary
  Store tracedStore(GatewayStore store, Tracing tracing) {
    return tracing.traced(store);
  }

  /** Depends on the store, which creates the folder and locks it. */
  @Bean
  DataFolder dataFolder(GatewayStore store) {
    return new DataFolder(store.folder());
  }

  @Bean
  AggregateStore aggregateStore(GatewayStore store) {
    return store.aggregates();
  }

  @Bean
  OlderFacts olderFacts(GatewayStore store) {
    return store.olderFacts();
  }

  @Bean
  CompanionFiles companionFiles(GatewayStore store) {
    return store.companions();
  }
}
