package dev.vigil.mirror.control;

import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.signed.senml.SenmlValue;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The form of the values that commands give to a resource. */
public sealed interface Control {
  /** The number of values that a message shows. */
  int MAX_SHOWN = 10;

  /** A resource with two states. */
  record Switch(SenmlValue off, SenmlValue on) implements Control {
    public static final Switch NUMBERS =
        new Switch(new SenmlValue.Number(0), new SenmlValue.Number(1));
    public static final Switch BOOLEANS =
        new Switch(new SenmlValue.Bool(false), new SenmlValue.Bool(true));
  }

  /**
   * A number.
   *
   * @param minimum below {@code maximum}
   * @param multipleOf positive; the number is a multiple of it
   */
  record Quantity(
      @Nullable BigDecimal minimum, @Nullable BigDecimal maximum, @Nullable BigDecimal multipleOf)
      implements Control {}

  /**
   * One of some values.
   *
   * @param values numbers, texts or booleans without repetitions, at least one
   */
  record Choice(List<SenmlValue> values) implements Control {
    public Choice {
      values = List.copyOf(values);
    }
  }

  record Text() implements Control {}

  /** Nothing is known about the values. */
  record Unknown() implements Control {}

  /** Whether the resource takes a value. */
  default boolean accepts(SenmlValue value) {
    return switch (this) {
      case Switch(SenmlValue off, SenmlValue on) -> value.equals(off) || value.equals(on);
      case Quantity quantity ->
          value instanceof SenmlValue.Number(double number)
              && contains(quantity, BigDecimal.valueOf(number));
      case Choice(List<SenmlValue> values) -> values.contains(value);
      case Text _ -> value instanceof SenmlValue.Text;
      case Unknown _ -> true;
    };
  }

  private static boolean contains(Quantity quantity, BigDecimal number) {
    BigDecimal minimum = quantity.minimum();
    BigDecimal maximum = quantity.maximum();
    BigDecimal multipleOf = quantity.multipleOf();
    return (minimum == null || number.compareTo(minimum) >= 0)
        && (maximum == null || number.compareTo(maximum) <= 0)
        && (multipleOf == null || number.remainder(multipleOf).signum() == 0);
  }

  /** The values that the resource takes, in words. */
  default String accepted() {
    return switch (this) {
      case Switch(SenmlValue off, SenmlValue on) ->
          SenmlPack.text(off) + " or " + SenmlPack.text(on);
      case Quantity quantity -> range(quantity);
      case Choice(List<SenmlValue> values) -> list(values);
      case Text _ -> "a text";
      case Unknown _ -> "any value";
    };
  }

  private static String list(List<SenmlValue> values) {
    String shown =
        values.stream().limit(MAX_SHOWN).map(SenmlPack::text).collect(Collectors.joining(", "));
    int more = values.size() - MAX_SHOWN;
    return "one of " + shown + (more > 0 ? " and " + more + " more values" : "");
  }

  private static String range(Quantity quantity) {
    StringBuilder words = new StringBuilder("a number");
    if (quantity.minimum() != null) {
      words.append(" from ").append(quantity.minimum().toPlainString());
    }
    if (quantity.maximum() != null) {
      words.append(" up to ").append(quantity.maximum().toPlainString());
    }
    if (quantity.multipleOf() != null) {
      words.append(" that is a multiple of ").append(quantity.multipleOf().toPlainString());
    }
    return words.toString();
  }
}
