package dev.vigil.gateway.units;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The units of each quantity; the first one is the SI unit of RFC 8428. */
public final class UnitTable {
  static final List<List<DisplayUnit>> QUANTITIES =
      List.of(
          List.of(
              DisplayUnit.of("Cel", "°C", 1, 1),
              new DisplayUnit("K", "K", 1, 1, new BigDecimal("273.15")),
              new DisplayUnit("degF", "°F", 9, 5, BigDecimal.valueOf(32))),
          List.of(
              DisplayUnit.of("m/s", 1, 1),
              DisplayUnit.of("km/h", 18, 5),
              // A mile has 1609.344 m.
              DisplayUnit.of("mph", 3_600_000, 1_609_344)),
          List.of(
              DisplayUnit.of("J", 1, 1),
              DisplayUnit.of("Wh", 1, 3600),
              DisplayUnit.of("kWh", 1, 3_600_000)),
          List.of(DisplayUnit.of("W", 1, 1), DisplayUnit.of("kW", 1, 1000)),
          List.of(
              DisplayUnit.of("Pa", 1, 1),
              DisplayUnit.of("hPa", 1, 100),
              DisplayUnit.of("bar", 1, 100_000)),
          List.of(
              DisplayUnit.of("m", 1, 1),
              DisplayUnit.of("mm", 1000, 1),
              DisplayUnit.of("cm", 100, 1),
              DisplayUnit.of("km", 1, 1000),
              // A foot has 0.3048 m.
              DisplayUnit.of("ft", 10_000, 3048)),
          List.of(DisplayUnit.of("V", 1, 1), DisplayUnit.of("mV", 1000, 1)),
          List.of(DisplayUnit.of("A", 1, 1), DisplayUnit.of("mA", 1000, 1)),
          List.of(
              DisplayUnit.of("s", 1, 1),
              DisplayUnit.of("ms", 1000, 1),
              DisplayUnit.of("min", 1, 60),
              DisplayUnit.of("h", 1, 3600)),
          List.of(DisplayUnit.of("/", "", 1, 1), DisplayUnit.of("/100", "%", 100, 1)));

  private UnitTable() {}

  /** The unit of that name. */
  public static Optional<DisplayUnit> unit(String name) {
    return QUANTITIES.stream().flatMap(List::stream).filter(one -> is(one, name)).findFirst();
  }

  /** The unit among the chosen ones that has the quantity of a unit. */
  public static Optional<DisplayUnit> chosen(String unit, Collection<String> chosen) {
    return QUANTITIES.stream()
        .filter(units -> units.stream().anyMatch(one -> is(one, unit)))
        .flatMap(List::stream)
        .filter(one -> chosen.contains(one.unit()))
        .findFirst();
  }

  private static boolean is(DisplayUnit unit, String name) {
    return unit.unit().equals(name);
  }

  /**
   * A number in another unit of its quantity, with 16 digits.
   *
   * @param from the unit of the number
   */
  public static double convert(double number, DisplayUnit from, DisplayUnit to) {
    return BigDecimal.valueOf(number)
        .subtract(from.offset())
        .multiply(
            BigDecimal.valueOf(from.denominator()).multiply(BigDecimal.valueOf(to.numerator())))
        .divide(
            BigDecimal.valueOf(from.numerator()).multiply(BigDecimal.valueOf(to.denominator())),
            MathContext.DECIMAL64)
        .add(to.offset())
        .doubleValue();
  }
}
