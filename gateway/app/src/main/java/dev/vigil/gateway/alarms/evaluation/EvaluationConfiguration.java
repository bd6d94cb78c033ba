package dev.vigil.gateway.alarms.evaluation;

import dev.vigil.gateway.alarms.conditions.GatewaySource;
import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.gateway.alarms.silences.Silences;
import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.duties.Duties;
import dev.vigil.gateway.tags.TaggedEndpoints;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.time.Clock;
import java.util.List;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class EvaluationConfiguration {
  /** In a cluster, the holder of the duties evaluates only what all gateways share. */
  @Bean
  AlarmLifecycle alarmLifecycle(
      RuleBook rules,
      TaggedEndpoints tagged,
      DomainsWithWaitingKeys waiting,
      List<GatewaySource> sources,
      Store store,
      MirrorQueries mirror,
      AlarmRegister register,
      Silences silences,
      ClusterProperties cluster,
      ObjectProvider<Duties> duties,
      Clock clock,
      LongSupplier nanoTime) {
    return new AlarmLifecycle(
        () ->
            new AlarmEvaluator(
                new AlarmEvaluator.Conditions(
                    rules,
                    new EndpointConditions(mirror, tagged, waiting, clock.millis()),
                    new GatewayConditions(sources, kind -> !cluster.isShared() || kind.isShared()),
                    name -> duties.getObject().isMember(name)),
                mirror,
                register,
                silences,
                clock,
                nanoTime),
        List.of(
            evaluator -> rules.onChange(evaluator::rulesChanged),
            evaluator -> tagged.onChange(change -> evaluator.changed(change.id()))),
        store,
        mirror);
  }

  @Bean
  OwnAlarms ownAlarms(
      RuleBook rules,
      List<GatewaySource> sources,
      AlarmRegister register,
      ClusterProperties cluster,
      Clock clock) {
    return new OwnAlarms(
        cluster.isShared() ? cluster.gateway() : "",
        new GatewayConditions(sources, kind -> !kind.isShared()),
        rules,
        register,
        clock);
  }
}
