package dev.vigil.gateway.units;

import java.util.List;

/**
 * The units that the gateway shows unless a person chooses others, one of each quantity at most.
 */
record ChosenUnits(List<String> units) {
  static final String KIND = "display-units";
  static final String ID = "gateway";

  ChosenUnits {
    units = List.copyOf(units);
  }
}
