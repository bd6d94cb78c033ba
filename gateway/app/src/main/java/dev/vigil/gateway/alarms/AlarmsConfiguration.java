package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.SystemGatewayState.StoreView;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import dev.vigil.gateway.northbound.DeliveryStatus;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.store.DataFolder;
import dev.vigil.gateway.store.StoreHealth;
import dev.vigil.gateway.store.StoreStatistics;
import dev.vigil.gateway.time.SystemTime;
import dev.vigil.gateway.tls.ServerCertificate;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.LongSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class AlarmsConfiguration {
  @Bean
  RuleBook alarmRules(Records records) {
    return new RuleBook(records);
  }

  @Bean
  Silences alarmSilences(Records records, Clock clock) {
    return new Silences(records, clock);
  }

  @Bean
  AlarmRegister alarmRegister(
      Records records, Silences silences, Clock clock, SecureRandom random) {
    return new AlarmRegister(records, silences, clock, random);
  }

  @Bean
  GatewayState gatewayState(
      BridgeLifecycle network,
      StoreHealth health,
      StoreStatistics statistics,
      DataFolder folder,
      DeliveryStatus deliveries,
      ServerCertificate certificate,
      Clock clock) {
    return new SystemGatewayState(
        network,
        new StoreView(health, statistics, folder),
        deliveries,
        certificate,
        clock,
        SystemTime.NANO_TIME);
  }

  @Bean
  AlarmEvaluator alarmEvaluator(
      RuleBook rules,
      GatewayState state,
      MirrorQueries mirror,
      AlarmRegister register,
      Silences silences,
      Clock clock) {
    LongSupplier nanoTime = SystemTime.NANO_TIME;
    EndpointConditions endpoints = new EndpointConditions(mirror, clock.millis());
    GatewayConditions gateway =
        new GatewayConditions(state, new RejectionRates(mirror, nanoTime), endpoints);
    return new AlarmEvaluator(
        new AlarmEvaluator.Conditions(rules, endpoints, gateway),
        mirror,
        register,
        silences,
        clock,
        nanoTime);
  }

  @Bean
  AlarmLifecycle alarmLifecycle(
      AlarmEvaluator evaluator, RuleBook rules, Store store, MirrorQueries mirror) {
    return new AlarmLifecycle(evaluator, rules, store, mirror);
  }
}
