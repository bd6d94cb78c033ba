package dev.vigil.gateway.export;

import dev.vigil.gateway.export.Reading.Form;
import dev.vigil.gateway.export.Reading.Told;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.senml.Measurement;
import dev.vigil.mirror.senml.Pack;
import dev.vigil.mirror.senml.Value;
import dev.vigil.mirror.wire.Rejection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * An archive as CSV: a row for each measurement. A reading of several measurements has as many rows
 * one after the other, with {@code record} saying which of how many it is.
 */
final class CsvRows {
  static final String HEADER =
      "ep,d,res,seq,arrived,marks,record,name,unit,type,value,sum,time,update_time,jws,cose,jwk";

  private static final int CELLS = 17;

  private CsvRows() {}

  /** The rows of a reading, each with its end. */
  static String write(Reading reading) {
    Told told = reading.told();
    if (told == null) {
      throw new IllegalArgumentException("a bare JWS has no values to tell");
    }
    StringBuilder rows = new StringBuilder();
    List<Measurement> all = told.measurements();
    for (int i = 0; i < all.size(); i++) {
      Measurement one = all.get(i);
      StringJoiner row = new StringJoiner(",", "", "\r\n");
      row.add(Csv.text(told.ep())).add(Csv.text(told.d())).add(Csv.text(told.res()));
      row.add(Long.toString(told.seq())).add(told.arrived().toString()).add(told.marks());
      row.add((i + 1) + "/" + all.size()).add(one.name());
      row.add(Csv.text(one.unit() == null ? "" : one.unit())).add(type(one.value()));
      row.add(value(one.value())).add(number(one.sum())).add(number(one.time()));
      row.add(number(one.updateTime()));
      boolean jws = reading.form() == Form.JWS;
      row.add(jws ? new String(reading.signed(), StandardCharsets.US_ASCII) : "");
      row.add(jws ? "" : JsonLines.base64url(reading.signed()));
      row.add(reading.key() == null ? "" : Csv.quoted(reading.key().json()));
      rows.append(row);
    }
    return rows.toString();
  }

  private static String type(@Nullable Value value) {
    return switch (value) {
      case null -> "";
      case Value.Number _ -> "number";
      case Value.Text _ -> "text";
      case Value.Bool _ -> "bool";
      case Value.Data _ -> "data";
    };
  }

  private static String value(@Nullable Value value) {
    return value instanceof Value.Text(String text) ? Csv.text(text) : Pack.text(value);
  }

  private static String number(@Nullable Double value) {
    return value == null ? "" : Pack.decimal(value);
  }

  /**
   * The reading of some rows that belong together.
   *
   * @throws Rejection in one line, when they are none
   */
  static Reading read(List<List<String>> rows) {
    List<Measurement> measurements = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      List<String> row = rows.get(i);
      if (!row.get(6).equals((i + 1) + "/" + rows.size())) {
        throw Rejection.malformed(
            "record " + row.get(6) + " stands where " + (i + 1) + "/" + rows.size() + " belongs");
      }
      measurements.add(measurement(row));
    }
    List<String> first = rows.getFirst();
    boolean jws = !first.get(14).isEmpty();
    if (jws == !first.get(15).isEmpty()) {
      throw Rejection.malformed("a row has either jws or cose");
    }
    byte[] signed =
        jws ? first.get(14).getBytes(StandardCharsets.UTF_8) : JsonLines.octets(first.get(15));
    String jwk = first.get(16);
    return new Reading(
        new Told(
            Csv.textOf(first.get(0)),
            Csv.textOf(first.get(1)),
            Csv.textOf(first.get(2)),
            number(first.get(3)),
            JsonLines.instant(first.get(4)),
            first.get(5),
            measurements),
        jws ? Form.JWS : Form.COSE,
        signed,
        jwk.isEmpty() ? null : Jwk.parse(jwk.getBytes(StandardCharsets.UTF_8)));
  }

  /** Whether a row goes on with the reading of the row before. */
  static boolean goesOn(List<String> before, List<String> row) {
    return row.size() == CELLS
        && !row.get(6).startsWith("1/")
        && before.get(14).equals(row.get(14))
        && before.get(15).equals(row.get(15))
        && before.subList(0, 6).equals(row.subList(0, 6));
  }

  static boolean hasCells(List<String> row) {
    return row.size() == CELLS;
  }

  private static Measurement measurement(List<String> row) {
    String unit = Csv.textOf(row.get(8));
    String cell = row.get(10);
    Value value =
        switch (row.get(9)) {
          case "" -> null;
          case "number" -> new Value.Number(real(cell));
          case "text" -> new Value.Text(Csv.textOf(cell));
          case "bool" -> new Value.Bool(cell.equals("true"));
          case "data" -> new Value.Data(JsonLines.octets(cell));
          default -> throw Rejection.malformed("type is number, text, bool, data or empty");
        };
    return new Measurement(
        row.get(7),
        unit.isEmpty() ? null : unit,
        value,
        optional(row.get(11)),
        real(row.get(12)),
        optional(row.get(13)),
        false);
  }

  private static @Nullable Double optional(String cell) {
    return cell.isEmpty() ? null : (Double) real(cell);
  }

  private static long number(String cell) {
    try {
      return Long.parseLong(cell);
    } catch (NumberFormatException e) {
      throw Rejection.malformed("seq is not a number");
    }
  }

  private static double real(String cell) {
    try {
      return Double.parseDouble(cell);
    } catch (NumberFormatException e) {
      throw Rejection.malformed("not a number where one belongs");
    }
  }
}
