package dev.vigil.mirror.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.mirror.control.Control.Choice;
import dev.vigil.mirror.control.Control.Quantity;
import dev.vigil.mirror.control.Control.Switch;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlValue;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The values that commands may give to a resource (docs/protocol.md section 8). */
class ResourceControlTest {
  private static Link link(String attributes) {
    return LinkFormat.parse("</x>" + attributes, LinkFormat.Limits.NONE).getFirst();
  }

  private static ResourceControl of(String attributes) {
    return ResourceControl.of(link(attributes), null);
  }

  private static Control after(String attributes, SenmlValue value, String unit) {
    ResolvedRecord last = new ResolvedRecord("x", unit, value, null, 0, null, false);
    ResourceControl control = ResourceControl.of(link(attributes), last);
    assertThat(control.declared()).isFalse();
    return control.control();
  }

  private static SenmlValue number(double value) {
    return new SenmlValue.Number(value);
  }

  @Test
  void limitsAndAStepBoundANumber() {
    ResourceControl level = of(";rt=\"level\";minimum=-10;maximum=\"10.5\";multipleOf=\"0.1\"");
    assertThat(level.declared()).isTrue();
    assertThat(level.control())
        .isEqualTo(
            new Quantity(new BigDecimal("-10"), new BigDecimal("10.5"), new BigDecimal("0.1")));
    assertThat(DoubleStream.of(-10, 0, 0.3, 10.5).boxed())
        .allMatch(value -> level.control().accepts(number(value)));
    assertThat(DoubleStream.of(-10.1, 0.35, 10.6, 1e300, -1e-300).boxed())
        .noneMatch(value -> level.control().accepts(number(value)));
    assertThat(level.control().accepts(new SenmlValue.Text("3"))).isFalse();
    assertThat(level.control().accepted())
        .isEqualTo("a number from -10 up to 10.5 that is a multiple of 0.1");
  }

  @Test
  void oneLimitIsEnough() {
    Control control = of(";minimum=1").control();
    assertThat(control.accepts(number(1e9))).isTrue();
    assertThat(control.accepts(number(0))).isFalse();
    assertThat(control.accepted()).isEqualTo("a number from 1");
  }

  @Test
  void anEnumerationHasTextsOrNumbers() {
    assertThat(of(";enum=\"auto heat  cool heat\"").control())
        .isEqualTo(
            new Choice(
                List.of(
                    new SenmlValue.Text("auto"),
                    new SenmlValue.Text("heat"),
                    new SenmlValue.Text("cool"))));
    Control levels = of(";enum=\"1 2 4\";minimum=0").control();
    assertThat(levels.accepts(number(4))).isTrue();
    assertThat(levels.accepts(number(3))).isFalse();
    assertThat(levels.accepted()).isEqualTo("one of 1, 2, 4");
    assertThat(of(";enum=\"a b c d e f g h i j k l\"").control().accepted())
        .endsWith("i, j and 2 more values");
  }

  @Test
  void twoStatesAreASwitch() {
    assertThat(of(";enum=\"1 0\"").control()).isEqualTo(Switch.NUMBERS);
    assertThat(of(";enum=\"false true\"").control()).isEqualTo(Switch.BOOLEANS);
    assertThat(Switch.NUMBERS.accepts(new SenmlValue.Bool(true))).isFalse();
    assertThat(Switch.NUMBERS.accepted()).isEqualTo("0 or 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ";minimum=ten",
        ";minimum=5;maximum=5",
        ";minimum=6;maximum=5;multipleOf=1",
        ";multipleOf=0",
        ";maximum=1e99",
        ";enum=\" \"",
        ";enum"
      })
  void attributesThatMakeNoSenseDeclareNothing(String attributes) {
    assertThat(of(attributes)).isEqualTo(ResourceControl.UNKNOWN);
  }

  @Test
  void withoutAttributesTypeUnitAndLastValueSuggestAControl() {
    assertThat(of(";rt=\"x oic.r.switch.binary\""))
        .isEqualTo(new ResourceControl(Switch.BOOLEANS, false));
    assertThat(after("", new SenmlValue.Bool(false), "/")).isEqualTo(Switch.BOOLEANS);
    assertThat(after("", new SenmlValue.Text("on"), "")).isEqualTo(new Control.Text());
    assertThat(after("", number(3), "s")).isEqualTo(new Quantity(null, null, null));
    assertThat(after("", number(3), "%RH"))
        .isEqualTo(new Quantity(BigDecimal.ZERO, BigDecimal.valueOf(100), null));
  }

  @Test
  void attributesPrecedeTheLastValue() {
    ResolvedRecord last = new ResolvedRecord("x", "%RH", number(3), null, 0, null, false);
    assertThat(ResourceControl.of(link(";maximum=60"), last))
        .isEqualTo(new ResourceControl(new Quantity(null, new BigDecimal(60), null), true));
  }
}
