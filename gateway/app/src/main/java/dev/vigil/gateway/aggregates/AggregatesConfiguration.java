package dev.vigil.gateway.aggregates;

import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.DataFolder;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.OlderFacts;
import dev.vigil.store.Store;
import java.time.Clock;
import java.util.function.LongSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class AggregatesConfiguration {
  @Bean
  AggregateRecorder aggregateRecorder(
      Store store, AggregateStore aggregates, LongSupplier nanoTime) {
    return new AggregateRecorder(store, aggregates, nanoTime);
  }

  @Bean
  AggregateLimits aggregateLimits(
      AggregateStore aggregates, HistoryProperties settings, Clock clock, DataFolder folder) {
    return new AggregateLimits(
        aggregates, settings, clock, () -> folder.path().toFile().getUsableSpace());
  }

  @Bean
  ValueLimits valueLimits(
      OlderFacts older,
      AggregateStore aggregates,
      HistoryProperties settings,
      MirrorQueries mirror,
      Clock clock,
      DataFolder folder) {
    return new ValueLimits(
        older,
        aggregates,
        settings,
        mirror.domains(),
        clock,
        () -> folder.path().toFile().getUsableSpace());
  }
}
