package dev.vigil.gateway.alarms.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class AlarmTextTest {
  @Test
  void valuesAreWrittenAsTheLanguageWritesThem() {
    assertThat(AlarmText.quantity(1.8354, "/", Locale.ENGLISH)).isEqualTo("1.835");
    assertThat(AlarmText.quantity(1.8354, "/", Locale.GERMAN)).isEqualTo("1,835");
    assertThat(AlarmText.quantity(21, "Cel", Locale.GERMAN)).isEqualTo("21 °C");
    assertThat(AlarmText.quantity(-3.5, "dBm", Locale.ENGLISH)).isEqualTo("-3.5 dBm");
    assertThat(AlarmText.quantity(12345.5, null, Locale.ENGLISH)).isEqualTo("12345.5");
  }

  @Test
  void durationsHaveOneFittingUnit() {
    assertThat(AlarmText.duration(90)).isEqualTo("90 s");
    assertThat(AlarmText.duration(300)).isEqualTo("5 min");
    assertThat(AlarmText.duration(7200)).isEqualTo("2 h");
    assertThat(AlarmText.duration(5 * 86_400)).isEqualTo("5 d");
  }
}
