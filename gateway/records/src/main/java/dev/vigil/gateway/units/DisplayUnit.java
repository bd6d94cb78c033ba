package dev.vigil.gateway.units;

import java.math.BigDecimal;

/**
 * A unit of a quantity. A number in the first unit of its quantity is converted exactly: times
 * numerator, divided by denominator, plus offset.
 *
 * @param unit the SenML unit (RFC 8428, RFC 8798); units without one have a name of their own
 * @param symbol as people write it
 */
public record DisplayUnit(
    String unit, String symbol, long numerator, long denominator, BigDecimal offset) {
  static DisplayUnit of(String unit, String symbol, long numerator, long denominator) {
    return new DisplayUnit(unit, symbol, numerator, denominator, BigDecimal.ZERO);
  }

  static DisplayUnit of(String unit, long numerator, long denominator) {
    return of(unit, unit, numerator, denominator);
  }
}
