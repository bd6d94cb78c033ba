package dev.vigil.gateway.units;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * @param chosen the units that pages show unless a person chooses others
 */
@Schema(name = "DisplayUnits")
public record DisplayUnitsJson(List<String> chosen, List<QuantityJson> quantities) {
  /**
   * A quantity.
   *
   * @param units that can be converted to each other; the first is the SI unit
   */
  @Schema(name = "Quantity")
  public record QuantityJson(List<DisplayUnit> units) {}
}
