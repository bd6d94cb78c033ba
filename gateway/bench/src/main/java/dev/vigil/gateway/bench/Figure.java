package dev.vigil.gateway.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The measurement of a target.
 *
 * @param rounds at least one, all with a reference or all without
 */
record Figure(Target target, List<Round> rounds) {
  /**
   * One turn of ours and one turn of the reference.
   *
   * @param reference NaN when the target has none
   */
  record Round(double value, double reference) {
    static Round of(double value) {
      return new Round(value, Double.NaN);
    }
  }

  static Figure of(Target target, double value) {
    return new Figure(target, List.of(Round.of(value)));
  }

  /** The median of all rounds, like the following values. */
  double value() {
    return median(Round::value);
  }

  double reference() {
    return median(Round::reference);
  }

  /** The median of the pairs' ratios: the machine's speed may change from pair to pair. */
  double ratio() {
    return median(round -> round.value() / round.reference());
  }

  boolean isMet() {
    return target.isMet(target.of == Target.Of.RATIO ? ratio() : value());
  }

  private double median(ToDoubleFunction<Round> figure) {
    return median(rounds, figure);
  }

  static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  String line() {
    return String.join(
        " ",
        target.label,
        number(value()),
        target.unit,
        number(reference()),
        number(ratio()),
        target.text(),
        isMet() ? "met" : "NOT MET");
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("value", value());
    json.put("unit", target.unit);
    json.put("reference", orNull(reference()));
    json.put("ratio", orNull(ratio()));
    json.put("target", target.text());
    json.put("met", isMet());
    json.put("rounds", json(rounds));
    return json;
  }

  /** Each round as its value and its reference, null if there is none. */
  static List<List<@Nullable Double>> json(List<Round> rounds) {
    return rounds.stream().map(r -> Arrays.asList(r.value(), orNull(r.reference()))).toList();
  }

  static @Nullable Double orNull(double value) {
    return Double.isNaN(value) ? null : value;
  }

  /** Three significant digits; a hyphen for a missing value. */
  static String number(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    double size = Math.abs(value);
    return String.format(Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f", value);
  }
}
