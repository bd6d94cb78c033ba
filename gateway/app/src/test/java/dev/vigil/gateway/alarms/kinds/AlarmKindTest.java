package dev.vigil.gateway.alarms.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.alarms.conditions.KindDescription;
import dev.vigil.gateway.alarms.conditions.KindText;
import dev.vigil.gateway.alarms.conditions.RuleDefaults;
import dev.vigil.gateway.alarms.conditions.RuleFields.LimitUse;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

class AlarmKindTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  static Stream<AlarmKind> all() {
    return AlarmKind.all().stream();
  }

  @Test
  void everyKindIsListedOnceAndNamedInTheApi() {
    Stream<Class<?>> permitted =
        Stream.of(AlarmKind.OfEndpoint.class, AlarmKind.OfGateway.class)
            .flatMap(group -> Stream.of(group.getPermittedSubclasses()));
    assertThat(all().<Class<?>>map(Object::getClass))
        .containsExactlyInAnyOrderElementsOf(permitted.toList());
    Schema schema = Objects.requireNonNull(AlarmKind.class.getAnnotation(Schema.class));
    assertThat(all().map(AlarmKind::label)).containsExactly(schema.allowableValues());
  }

  @ParameterizedTest
  @MethodSource("all")
  void aKindIsItsLabelInJson(AlarmKind kind) {
    String json = JSON.writeValueAsString(List.of(kind));
    assertThat(json).isEqualTo("[\"" + kind.label() + "\"]");
    assertThat(JSON.readValue(json, AlarmKind[].class)).containsExactly(kind);
  }

  @Test
  void anUnknownKindIsRefusedWithTheNamesOfAll() {
    assertThatThrownBy(() -> AlarmKind.of("cold"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("takes one of missing, value");
  }

  @ParameterizedTest
  @MethodSource("all")
  void aDefaultRuleHasTheLimitsThatItsKindTakes(AlarmKind kind) {
    KindDescription description = kind.description();
    RuleDefaults defaults = description.defaults();
    if (defaults != null) {
      assertThat(defaults.limits().above() != null)
          .isEqualTo(description.fields().above() == LimitUse.NEEDED);
      assertThat(defaults.limits().below() != null)
          .isEqualTo(description.fields().below() == LimitUse.NEEDED);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void aKindHasTextsInBothLanguages(AlarmKind kind) {
    KindText english = kind.description().english();
    KindText german = kind.description().german();
    for (KindText text : List.of(english, german)) {
      assertThat(text.name()).isNotBlank();
      assertThat(text.condition()).isNotBlank();
    }
    assertThat(german.condition()).isNotEqualTo(english.condition());
    assertThat(german.measure().isEmpty()).isEqualTo(english.measure().isEmpty());
  }
}
