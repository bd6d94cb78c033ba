package dev.vigil.gateway.export;

import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.units.DisplayUnit;
import dev.vigil.gateway.units.UnitTable;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The units that a client wants in an export of aggregates; other quantities stay as measured. */
record ExportUnits(List<String> chosen) {
  /**
   * @param given units separated by commas; null: all as measured
   * @param signed whether signed values are exported, which keep their units
   */
  static ExportUnits read(@Nullable String given, boolean signed) {
    if (given == null) {
      return new ExportUnits(List.of());
    }
    if (signed) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER,
          "units: only for aggregates, because the endpoints signed the values in their own units");
    }
    List<String> chosen = List.of(given.split(","));
    if (!chosen.stream().allMatch(unit -> UnitTable.unit(unit).isPresent())) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER, "units: takes units of /api/display-units");
    }
    return new ExportUnits(chosen);
  }

  /** The unit in which numbers of a measured unit are given. */
  String unit(String measured) {
    return UnitTable.chosen(measured, chosen).map(DisplayUnit::unit).orElse(measured);
  }

  DoubleUnaryOperator conversion(String measured) {
    DisplayUnit from = UnitTable.unit(measured).orElse(null);
    DisplayUnit to = UnitTable.chosen(measured, chosen).orElse(null);
    return from == null || to == null || from.equals(to)
        ? DoubleUnaryOperator.identity()
        : number -> UnitTable.convert(number, from, to);
  }
}
