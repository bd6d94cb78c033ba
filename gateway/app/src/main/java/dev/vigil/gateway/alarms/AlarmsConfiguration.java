package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.gateway.alarms.silences.Silences;
import dev.vigil.gateway.records.Records;
import java.security.SecureRandom;
import java.time.Clock;
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
}
