package dev.vigil.gateway.archive;

import dev.vigil.gateway.archive.ArchivedReading.Fields;
import dev.vigil.gateway.archive.ArchivedReading.Form;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.signed.senml.SenmlValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The CSV form of an archive: one row for each measurement. The rows of a reading with several
 * measurements are adjacent; {@code record} numbers them, for instance {@code 2/3}.
 */
final class CsvRows {
  static final String HEADER =
      "ep,d,res,seq,arrived,marks,record,name,unit,type,value,sum,time,update_time,jws,cose,jwk";

  private static final int CELLS = 17;

  private CsvRows() {}

  /** The rows of a reading, each with its line end. */
  static String write(ArchivedReading reading) {
    Fields fields = reading.fields();
    if (fields == null) {
      throw new IllegalArgumentException("a reading without fields cannot be written as CSV");
    }
    StringBuilder rows = new StringBuilder();
    List<ResolvedRecord> all = fields.measurements();
    for (int i = 0; i < all.size(); i++) {
      ResolvedRecord one = all.get(i);
      StringJoiner row = new StringJoiner(",", "", "\r\n");
      row.add(Csv.text(fields.ep())).add(Csv.text(fields.d())).add(Csv.text(fields.res()));
      row.add(Long.toString(fields.seq())).add(fields.arrived().toString()).add(fields.marks());
      row.add((i + 1) + "/" + all.size()).add(one.name());
      row.add(Csv.text(one.unit() == null ? "" : one.unit())).add(type(one.value()));
      row.add(value(one.value())).add(number(one.sum())).add(number(one.time()));
      row.add(number(one.updateTime()));
      byte[] signed = reading.signed();
      row.add(reading.form() == Form.JWS ? new String(signed, StandardCharsets.US_ASCII) : "");
      row.add(reading.form() == Form.COSE ? JsonLines.base64url(signed) : "");
      row.add(reading.key() == null ? "" : Csv.quoted(reading.key().json()));
      rows.append(row);
    }
    return rows.toString();
  }

  private static String type(@Nullable SenmlValue value) {
    return switch (value) {
      case null -> "";
      case SenmlValue.Number _ -> "number";
      case SenmlValue.Text _ -> "text";
      case SenmlValue.Bool _ -> "bool";
      case SenmlValue.Data _ -> "data";
    };
  }

  private static String value(@Nullable SenmlValue value) {
    return value instanceof SenmlValue.Text(String text) ? Csv.text(text) : SenmlPack.text(value);
  }

  private static String number(@Nullable Double value) {
    return value == null ? "" : SenmlPack.decimal(value);
  }

  /**
   * Reads the rows of one reading.
   *
   * @throws ArchiveException when a cell is malformed
   * @throws SignedObjectException when the key is malformed
   */
  static ArchivedReading read(List<List<String>> rows) {
    List<ResolvedRecord> measurements = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      List<String> row = rows.get(i);
      if (!row.get(6).equals((i + 1) + "/" + rows.size())) {
        throw new ArchiveException(
            "record " + row.get(6) + " where " + (i + 1) + "/" + rows.size() + " belongs");
      }
      measurements.add(measurement(row));
    }
    List<String> first = rows.getFirst();
    boolean jws = !first.get(14).isEmpty();
    boolean cose = !first.get(15).isEmpty();
    Fields fields =
        new Fields(
            Csv.textOf(first.get(0)),
            Csv.textOf(first.get(1)),
            Csv.textOf(first.get(2)),
            number(first.get(3)),
            JsonLines.instant(first.get(4)),
            first.get(5),
            measurements);
    if (!jws && !cose && fields.marks().equals(ArchivedReading.RECOVERED_MARK)) {
      return ArchivedReading.recovered(fields);
    }
    if (jws == cose) {
      throw new ArchiveException("a row must have either jws or cose");
    }
    byte[] signed =
        jws ? first.get(14).getBytes(StandardCharsets.UTF_8) : JsonLines.octets(first.get(15));
    String jwk = first.get(16);
    return new ArchivedReading(
        fields,
        jws ? Form.JWS : Form.COSE,
        signed,
        jwk.isEmpty() ? null : Jwk.parse(jwk.getBytes(StandardCharsets.UTF_8)));
  }

  /** Whether a row belongs to the same reading as the previous row. */
  static boolean belongTogether(List<String> before, List<String> row) {
    return row.size() == CELLS
        && !row.get(6).startsWith("1/")
        && before.get(14).equals(row.get(14))
        && before.get(15).equals(row.get(15))
        && before.subList(0, 6).equals(row.subList(0, 6));
  }

  static boolean hasCells(List<String> row) {
    return row.size() == CELLS;
  }

  private static ResolvedRecord measurement(List<String> row) {
    String unit = Csv.textOf(row.get(8));
    String cell = row.get(10);
    SenmlValue value =
        switch (row.get(9)) {
          case "" -> none(cell);
          case "number" -> new SenmlValue.Number(real(cell));
          case "text" -> new SenmlValue.Text(Csv.textOf(cell));
          case "bool" -> new SenmlValue.Bool(bool(cell));
          case "data" -> new SenmlValue.Data(JsonLines.octets(cell));
          default -> throw new ArchiveException("type must be number, text, bool, data or empty");
        };
    return new ResolvedRecord(
        row.get(7),
        unit.isEmpty() ? null : unit,
        value,
        optional(row.get(11)),
        real(row.get(12)),
        optional(row.get(13)),
        false);
  }

  private static @Nullable SenmlValue none(String cell) {
    if (!cell.isEmpty()) {
      throw new ArchiveException("\"" + cell + "\" is a value without a type");
    }
    return null;
  }

  private static boolean bool(String cell) {
    return switch (cell) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new ArchiveException("\"" + cell + "\" is neither true nor false");
    };
  }

  private static @Nullable Double optional(String cell) {
    return cell.isEmpty() ? null : (Double) real(cell);
  }

  private static long number(String cell) {
    try {
      return Long.parseLong(cell);
    } catch (NumberFormatException e) {
      throw new ArchiveException("seq is not a number");
    }
  }

  private static double real(String cell) {
    try {
      return Double.parseDouble(cell);
    } catch (NumberFormatException e) {
      throw new ArchiveException("\"" + cell + "\" is not a number");
    }
  }
}
