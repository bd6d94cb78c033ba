package dev.vigil.gateway.alarms.evaluation;

import dev.vigil.gateway.alarms.conditions.GatewaySource;
import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.gateway.alarms.silences.Silences;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.time.Clock;
import java.util.List;
import java.util.function.LongSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class EvaluationConfiguration {
  @Bean
  AlarmLifecycle alarmLifecycle(
      RuleBook rules,
      DomainsWithWaitingKeys waiting,
      List<GatewaySource> sources,
      Store store,
      MirrorQueries mirror,
      AlarmRegister register,
      Silences silences,
      Clock clock,
      LongSupplier nanoTime) {
    return new AlarmLifecycle(
        () ->
            new AlarmEvaluator(
                new AlarmEvaluator.Conditions(
                    rules,
                    new EndpointConditions(mirror, waiting, clock.millis()),
                    new GatewayConditions(sources)),
                mirror,
                register,
                silences,
                clock,
                nanoTime),
        rules,
        store,
        mirror);
  }
}
