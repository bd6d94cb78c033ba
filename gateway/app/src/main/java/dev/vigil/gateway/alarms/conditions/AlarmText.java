package dev.vigil.gateway.alarms.conditions;

import java.text.NumberFormat;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A sentence about an alarm: one line in each language of the pages.
 *
 * @param english also in the log
 */
public record AlarmText(String english, String german) {
  private static final int FRACTION_DIGITS = 3;

  /** Common notation of SenML units (RFC 8428 section 12.1); others are written as they are. */
  private static final Map<String, String> UNITS =
      Map.ofEntries(
          Map.entry("Cel", "°C"),
          Map.entry("%RH", "% RH"),
          Map.entry("%EL", "%"),
          Map.entry("m/s2", "m/s²"),
          Map.entry("W/m2", "W/m²"),
          Map.entry("m2", "m²"),
          Map.entry("m3", "m³"),
          Map.entry("Ohm", "Ω"),
          Map.entry("lx", "lx"),
          Map.entry("/", ""));

  /** The same sentence about one gateway of a cluster. */
  public AlarmText at(String gateway) {
    return new AlarmText(gateway + ": " + english, gateway + ": " + german);
  }

  /** The name of an endpoint in its domain. */
  public static AlarmText endpoint(String ep, String d) {
    return d.isEmpty() ? new AlarmText(ep, ep) : new AlarmText(ep + " in " + d, ep + " in " + d);
  }

  /** A number as a language writes it, with at most three decimals. */
  public static String number(double value, Locale language) {
    NumberFormat format = NumberFormat.getNumberInstance(language);
    format.setMaximumFractionDigits(FRACTION_DIGITS);
    format.setGroupingUsed(false);
    return format.format(value);
  }

  /**
   * A measured value as a language writes it.
   *
   * @param senmlUnit null: none
   */
  public static String quantity(double value, @Nullable String senmlUnit, Locale language) {
    String unit = senmlUnit == null ? "" : UNITS.getOrDefault(senmlUnit, senmlUnit);
    return number(value, language) + (unit.isEmpty() ? "" : " " + unit);
  }

  /**
   * A duration in its largest fitting unit, for instance "5 min"; both languages write it in the
   * same way.
   */
  public static String duration(long seconds) {
    if (seconds < 120) {
      return seconds + " s";
    }
    long minutes = seconds / 60;
    if (minutes < 120) {
      return minutes + " min";
    }
    long hours = minutes / 60;
    return hours < 48 ? hours + " h" : hours / 24 + " d";
  }
}
