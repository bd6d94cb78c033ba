package dev.vigil.gateway.evaluate.tables;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A figure of a paper and our figure.
 *
 * @param theirs null when the paper has no number for it
 * @param must the condition in words; empty for a figure that is only compared
 * @param met null without a condition
 */
public record Row(
    String row,
    @Nullable Double theirs,
    double ours,
    String unit,
    String must,
    @Nullable Boolean met,
    How how) {
  /** Without a condition. */
  public static Row beside(String row, @Nullable Double theirs, double ours, String unit, How how) {
    return new Row(row, theirs, ours, unit, "", null, how);
  }

  public static Row equal(String row, double theirs, double ours, String unit, How how) {
    return new Row(row, theirs, ours, unit, "equal", theirs == ours, how);
  }

  public static Row atMost(
      String row, @Nullable Double theirs, double ours, String unit, double limit, How how) {
    return new Row(row, theirs, ours, unit, "at most " + number(limit), ours <= limit, how);
  }

  public static Row atLeast(
      String row, @Nullable Double theirs, double ours, String unit, double limit, How how) {
    return new Row(row, theirs, ours, unit, "at least " + number(limit), ours >= limit, how);
  }

  public static Row within(
      String row, double theirs, double ours, String unit, double percent, How how) {
    boolean near = Math.abs(ours - theirs) <= Math.abs(theirs) * percent / 100;
    return new Row(row, theirs, ours, unit, "within " + number(percent) + " %", near, how);
  }

  String metText() {
    return met == null ? "-" : met ? "met" : "NOT MET";
  }

  Map<String, @Nullable Object> json(String table) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("table", table);
    json.put("row", row);
    json.put("theirs", theirs);
    json.put("ours", ours);
    json.put("unit", unit);
    json.put("must", must);
    json.put("met", met);
    json.put("how", how.label);
    return json;
  }

  /** Whole numbers as they are, others with three digits or more; a hyphen for none. */
  static String number(@Nullable Double value) {
    if (value == null) {
      return "-";
    }
    double size = Math.abs(value);
    if (value == Math.rint(value) && size < 1e15) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f", value);
  }
}
