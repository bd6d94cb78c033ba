package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.mirror.control.Control;
import dev.vigil.mirror.control.ResourceControl;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.signed.senml.SenmlValue;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values that commands give to a resource.
 *
 * @param kind switch, number, choice, text, or unknown
 * @param declared whether the resource's link declares them: the gateway then refuses other values
 *     of commands. Otherwise they are a guess from its type and its last value
 * @param minimum smallest number; absent without a limit
 * @param maximum largest number; absent without a limit
 * @param multipleOf the number is a multiple of it; absent if every number is possible
 * @param values of a switch: first off, then on; of a choice: all; otherwise empty
 */
record ControlJson(
    @LabelsOf(Kind.class) String kind,
    boolean declared,
    @Nullable BigDecimal minimum,
    @Nullable BigDecimal maximum,
    @Nullable BigDecimal multipleOf,
    @ArraySchema(schema = @Schema(types = {"number", "string", "boolean"})) List<Object> values) {
  private enum Kind {
    SWITCH,
    NUMBER,
    CHOICE,
    TEXT,
    UNKNOWN
  }

  static ControlJson of(ResourceControl resource) {
    boolean declared = resource.declared();
    return switch (resource.control()) {
      case Control.Switch(SenmlValue off, SenmlValue on) ->
          listed(Kind.SWITCH, declared, List.of(off, on));
      case Control.Quantity(BigDecimal minimum, BigDecimal maximum, BigDecimal multipleOf) ->
          new ControlJson(
              LabelsOf.Label.of(Kind.NUMBER), declared, minimum, maximum, multipleOf, List.of());
      case Control.Choice(List<SenmlValue> values) -> listed(Kind.CHOICE, declared, values);
      case Control.Text _ -> listed(Kind.TEXT, declared, List.of());
      case Control.Unknown _ -> listed(Kind.UNKNOWN, declared, List.of());
    };
  }

  private static ControlJson listed(Kind kind, boolean declared, List<SenmlValue> values) {
    return new ControlJson(
        LabelsOf.Label.of(kind),
        declared,
        null,
        null,
        null,
        values.stream().map(ControlJson::plain).toList());
  }

  /** Whole numbers have no decimals. */
  private static Object plain(SenmlValue value) {
    String text = SenmlPack.text(value);
    return switch (value) {
      case SenmlValue.Number _ -> new BigDecimal(text);
      case SenmlValue.Bool(boolean bool) -> bool;
      case SenmlValue.Text _, SenmlValue.Data _ -> text;
    };
  }
}
