package dev.vigil.gateway.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitTableTest {
  private static DisplayUnit unit(String name) {
    return UnitTable.unit(name).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "21.5, Cel, degF, 70.7",
    "-40, degF, Cel, -40",
    "98.6, degF, Cel, 37",
    "0, K, Cel, -273.15",
    "10, m/s, km/h, 36",
    "36, km/h, m/s, 10",
    "60, mph, km/h, 96.56064",
    "1.5, kWh, J, 5400000",
    "101325, Pa, bar, 1.01325",
    "1013.25, hPa, Pa, 101325",
    "1, ft, mm, 304.8",
    "90, min, h, 1.5",
    "0.25, /, /100, 25"
  })
  void conversionsAreExact(double number, String from, String to, double expected) {
    assertThat(UnitTable.convert(number, unit(from), unit(to))).isEqualTo(expected);
  }

  @Test
  void everyUnitHasOneQuantityAndItsFirstUnitIsTheReference() {
    assertThat(UnitTable.QUANTITIES.stream().flatMap(List::stream).map(DisplayUnit::unit))
        .doesNotHaveDuplicates();
    Stream<DisplayUnit> first = UnitTable.QUANTITIES.stream().map(List::getFirst);
    assertThat(first)
        .allSatisfy(
            one -> {
              assertThat(one.numerator()).isEqualTo(one.denominator());
              assertThat(one.offset()).isZero();
            });
  }

  @Test
  void aChosenUnitAppliesToTheUnitsOfItsQuantity() {
    List<String> chosen = List.of("degF", "bar");
    assertThat(UnitTable.chosen("Cel", chosen)).contains(unit("degF"));
    assertThat(UnitTable.chosen("degF", chosen)).contains(unit("degF"));
    assertThat(UnitTable.chosen("m/s", chosen)).isEmpty();
    assertThat(UnitTable.chosen("lx", chosen)).isEmpty();
  }
}
