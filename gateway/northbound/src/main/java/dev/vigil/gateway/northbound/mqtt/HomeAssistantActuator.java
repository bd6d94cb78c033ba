package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.mirror.control.Control;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.signed.senml.SenmlValue;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The entity of a resource that takes commands: a number with both limits and an enumeration have
 * their own components, every other resource is a switch. Converts between Home Assistant's texts
 * and SenML values.
 *
 * @param control a switch, a number with both limits, or a choice
 */
record HomeAssistantActuator(Control control) {
  static final String ON = "ON";
  static final String OFF = "OFF";
  static final List<String> COMPONENTS = List.of("switch", "number", "select");

  /** Steps of a number whose resource takes every value. */
  private static final BigDecimal STEPS = BigDecimal.valueOf(100);

  /** The smallest step that Home Assistant accepts. */
  private static final BigDecimal SMALLEST_STEP = new BigDecimal("0.001");

  static HomeAssistantActuator of(Control control) {
    return new HomeAssistantActuator(
        switch (control) {
          case Control.Switch states -> states;
          case Control.Quantity quantity
              when quantity.minimum() != null && quantity.maximum() != null ->
              quantity;
          case Control.Quantity _ -> Control.Switch.NUMBERS;
          case Control.Choice choice -> choice;
          case Control.Text _ -> Control.Switch.NUMBERS;
          case Control.Unknown _ -> Control.Switch.NUMBERS;
        });
  }

  String component() {
    return switch (control) {
      case Control.Quantity _ -> "number";
      case Control.Choice _ -> "select";
      case Control.Switch _, Control.Text _, Control.Unknown _ -> "switch";
    };
  }

  boolean isNumber() {
    return control instanceof Control.Quantity;
  }

  /** The texts that Home Assistant sends, in words. */
  String expected() {
    return control instanceof Control.Switch ? ON + " or " + OFF : control.accepted();
  }

  /** The value for a text from Home Assistant; empty if the resource does not take it. */
  Optional<SenmlValue> value(String text) {
    return switch (control) {
      case Control.Switch(SenmlValue off, SenmlValue on) ->
          text.equals(ON)
              ? Optional.of(on)
              : text.equals(OFF) ? Optional.of(off) : Optional.empty();
      case Control.Choice(List<SenmlValue> values) ->
          values.stream().filter(value -> SenmlPack.text(value).equals(text)).findFirst();
      case Control.Quantity _, Control.Text _, Control.Unknown _ ->
          Optional.of(SenmlValue.ofWord(text)).filter(control::accepts);
    };
  }

  /** Home Assistant's text for a value; empty if it cannot show the value. */
  Optional<String> text(@Nullable SenmlValue value) {
    return switch (control) {
      case Control.Switch _ -> isOn(value).map(on -> on ? ON : OFF);
      case Control.Quantity _, Control.Choice _, Control.Text _, Control.Unknown _ ->
          Stream.ofNullable(value).filter(control::accepts).map(SenmlPack::text).findFirst();
    };
  }

  private static Optional<Boolean> isOn(@Nullable SenmlValue value) {
    return switch (value) {
      case SenmlValue.Number number -> Optional.of(number.value() != 0);
      case SenmlValue.Bool bool -> Optional.of(bool.value());
      case SenmlValue.Text _ -> Optional.empty();
      case SenmlValue.Data _ -> Optional.empty();
      case null -> Optional.empty();
    };
  }

  /**
   * Adds the members of the entity's configuration that describe its values.
   *
   * @param unit the SenML unit of the last value
   */
  void describe(JsonWriter json, @Nullable String unit) {
    switch (control) {
      case Control.Quantity quantity -> describe(quantity, json, unit);
      case Control.Choice(List<SenmlValue> values) -> {
        json.name("options").open('[');
        values.forEach(value -> json.string(SenmlPack.text(value)));
        json.close(']');
      }
      case Control.Switch _, Control.Text _, Control.Unknown _ ->
          json.member("payload_on", ON).member("payload_off", OFF);
    }
  }

  private static void describe(Control.Quantity quantity, JsonWriter json, @Nullable String unit) {
    BigDecimal minimum = quantity.minimum();
    BigDecimal maximum = quantity.maximum();
    if (minimum == null || maximum == null) {
      throw new IllegalStateException("a number without limits is a switch");
    }
    BigDecimal step = quantity.multipleOf();
    if (step == null) {
      BigDecimal hundredth = maximum.subtract(minimum).divide(STEPS);
      step = BigDecimal.ONE.scaleByPowerOfTen(hundredth.precision() - hundredth.scale() - 1);
    }
    json.name("min").raw(minimum.toPlainString()).name("max").raw(maximum.toPlainString());
    json.name("step").raw(step.max(SMALLEST_STEP).toPlainString());
    if (unit != null) {
      json.member("unit_of_measurement", HomeAssistantUnit.of(unit).symbol());
    }
  }
}
