package dev.vigil.gateway.northbound.kafka;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.settings.InvalidSettingException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class KafkaPropertiesTest {
  private static KafkaProperties bound(Map<String, String> settings) {
    return new Binder(new MapConfigurationPropertySource(settings))
        .bind("kafka", KafkaProperties.class)
        .get();
  }

  @Test
  void serversAloneAreEnough() {
    KafkaProperties settings = bound(Map.of("kafka.servers", "kafka-1.example:9093,[::1]:9093"));
    assertThatCode(() -> settings.require("kafka")).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "kafka.servers, kafka.example, kafka.servers",
    "kafka.servers, kafka.example:9093/path, kafka.servers",
    "kafka.topic, two words, kafka.topic",
    "kafka.topic, .., kafka.topic",
    "kafka.username, vigil, kafka.username",
    "kafka.password-file, secret, kafka.username",
    "kafka.events, '', kafka.events",
  })
  void anUnusableSettingIsNamed(String name, String value, String named) {
    Map<String, String> settings = new HashMap<>(Map.of("kafka.servers", "a.example:1"));
    settings.put(name, value);
    KafkaProperties bound = bound(settings);
    assertThatThrownBy(() -> bound.require("kafka"))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining(named);
  }

  @ParameterizedTest
  @CsvSource({"kafka.ca, ca.pem, kafka.tls", "kafka.mechanism, plain, kafka.mechanism"})
  void settingsThatNeedTlsAreRefusedWithoutIt(String name, String value, String named) {
    KafkaProperties settings =
        bound(
            Map.of(
                "kafka.servers",
                "a.example:1",
                "kafka.tls",
                "false",
                "kafka.username",
                "vigil",
                "kafka.password-file",
                "secret",
                name,
                value));
    assertThatThrownBy(() -> settings.require("kafka"))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining(named);
  }
}
