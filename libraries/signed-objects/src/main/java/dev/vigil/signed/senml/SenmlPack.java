package dev.vigil.signed.senml;

import dev.vigil.signed.SignedObjectException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A validated SenML pack: every record resolves (RFC 8428 section 4). */
public record SenmlPack(List<SenmlRecord> records) {
  /** Times below this are relative to the arrival (RFC 8428 section 4.5.3). */
  public static final double RELATIVE_BELOW = 1L << 28;

  private static final int MAX_RECORDS = 256;

  /**
   * Maximum length of a full name and of a unit, because resolving repeats the base name and base
   * unit in each record.
   */
  private static final int MAX_TEXT = 255;

  /** Maximum time in seconds; date types can represent it in milliseconds. */
  private static final double MAX_TIME = 1L << 53;

  private static final long VERSION = 10;

  public SenmlPack {
    records = List.copyOf(records);
  }

  /**
   * @throws SignedObjectException when the pack is malformed
   */
  public static SenmlPack readJson(byte[] octets) {
    return validated(SenmlJson.read(octets));
  }

  /**
   * @throws SignedObjectException when the pack is malformed
   */
  public static SenmlPack readCbor(byte[] octets) {
    return validated(SenmlCbor.read(octets));
  }

  public byte[] writeJson() {
    return SenmlJson.write(records);
  }

  public byte[] writeCbor() {
    return SenmlCbor.write(records);
  }

  private static SenmlPack validated(List<SenmlRecord> records) {
    if (records.isEmpty()) {
      throw SignedObjectException.malformed("the SenML pack is empty");
    }
    BaseFields bases = new BaseFields();
    for (SenmlRecord record : records) {
      bases.adopt(record);
      bases.requireResolvable(record);
    }
    return new SenmlPack(records);
  }

  static void requireCapacity(List<SenmlRecord> records) {
    if (records.size() == MAX_RECORDS) {
      throw SignedObjectException.malformed("more than " + MAX_RECORDS + " SenML records");
    }
  }

  /**
   * Resolves all records to full names and absolute times (RFC 8428 section 4.6).
   *
   * @param now arrival, unix time in seconds
   */
  public List<ResolvedRecord> resolve(double now) {
    BaseFields bases = new BaseFields();
    List<ResolvedRecord> measurements = new ArrayList<>(records.size());
    for (SenmlRecord record : records) {
      measurements.add(bases.resolve(record, now));
    }
    return measurements;
  }

  /**
   * The time of the newest record, unix time in seconds. A record with a relative time or without a
   * time counts as now.
   *
   * @param now arrival, unix time in seconds
   */
  public double newest(double now) {
    BaseFields bases = new BaseFields();
    double newest = Double.NEGATIVE_INFINITY;
    for (SenmlRecord record : records) {
      bases.adopt(record);
      double at = bases.time(record);
      newest = Math.max(newest, at < RELATIVE_BELOW ? now : at);
    }
    return newest;
  }

  /** A pack of resolved records; resolving it needs no arrival time. */
  public static SenmlPack of(List<ResolvedRecord> measurements) {
    return new SenmlPack(
        measurements.stream()
            .map(
                m ->
                    new SenmlRecord(
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        m.name(),
                        m.unit(),
                        m.value(),
                        m.sum(),
                        m.time(),
                        m.updateTime()))
            .toList());
  }

  /** A number in JSON: an integer if it has no fraction, else the shortest exact decimal. */
  public static String decimal(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : new BigDecimal(Double.toString(value)).toString();
  }

  /** A value as plain text. */
  public static String text(@Nullable SenmlValue value) {
    return switch (value) {
      case null -> "";
      case SenmlValue.Number(double number) -> decimal(number);
      case SenmlValue.Text(String text) -> text;
      case SenmlValue.Bool(boolean bool) -> Boolean.toString(bool);
      case SenmlValue.Data(byte[] octets) ->
          Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
    };
  }

  /** The base fields in force; each applies until another record replaces it. */
  private static final class BaseFields {
    private String name = "";
    private double time;
    private @Nullable String unit;
    private @Nullable Double value;
    private @Nullable Double sum;
    private long version = VERSION;

    ResolvedRecord resolve(SenmlRecord record, double now) {
      adopt(record);
      SenmlValue own = record.value();
      SenmlValue resolved = own;
      if (value != null
          && (own instanceof SenmlValue.Number || own == null && record.sum() == null)) {
        resolved =
            new SenmlValue.Number(value + (own instanceof SenmlValue.Number(double v) ? v : 0));
      }
      double at = time(record);
      boolean relative = at < RELATIVE_BELOW;
      return new ResolvedRecord(
          record.name() == null ? name : name + record.name(),
          record.unit() == null ? unit : record.unit(),
          resolved,
          record.sum() == null && sum == null
              ? null
              : (Double) (orZero(record.sum()) + orZero(sum)),
          relative ? now + at : at,
          record.updateTime(),
          relative);
    }

    /** Unix time in seconds; values below {@link #RELATIVE_BELOW} are relative to the arrival. */
    double time(SenmlRecord record) {
      return time + orZero(record.time());
    }

    /** Refuses a record that does not resolve. Its own base fields were adopted before. */
    void requireResolvable(SenmlRecord record) {
      requireName(name, record.name() == null ? "" : record.name());
      if (record.value() == null && record.sum() == null && value == null && sum == null) {
        throw SignedObjectException.malformed("a SenML record has neither value nor sum");
      }
      requireLength(name, record.name());
      requireLength(unit, null);
      requireLength(record.unit(), null);
      // Each number is finite, but their sum may not be.
      double own = record.value() instanceof SenmlValue.Number(double v) ? v : 0;
      if (!Double.isFinite(orZero(value) + own)
          || !Double.isFinite(orZero(sum) + orZero(record.sum()))) {
        throw SignedObjectException.malformed("a SenML value is out of range with its base value");
      }
      if (!(Math.abs(time(record)) <= MAX_TIME)) {
        throw SignedObjectException.malformed("a SenML time is out of range");
      }
    }

    void adopt(SenmlRecord record) {
      name = record.baseName() == null ? name : record.baseName();
      time = record.baseTime() == null ? time : record.baseTime();
      unit = record.baseUnit() == null ? unit : record.baseUnit();
      value = record.baseValue() == null ? value : record.baseValue();
      sum = record.baseSum() == null ? sum : record.baseSum();
      version = record.baseVersion() == null ? version : record.baseVersion();
      if (version > VERSION) {
        throw SignedObjectException.malformed("SenML version above " + VERSION);
      }
    }

    private static void requireLength(@Nullable String first, @Nullable String rest) {
      int length = (first == null ? 0 : first.length()) + (rest == null ? 0 : rest.length());
      if (length > MAX_TEXT) {
        throw SignedObjectException.malformed(
            "a SenML name or unit has more than " + MAX_TEXT + " characters");
      }
    }

    private static double orZero(@Nullable Double value) {
      return value == null ? 0 : value;
    }

    /** Checks a full name, given as base name and name (RFC 8428 section 4.5.1). */
    private static void requireName(String base, String rest) {
      String first = base.isEmpty() ? rest : base;
      if (first.isEmpty() || !alphanumeric(first.charAt(0))) {
        throw SignedObjectException.malformed("a SenML name starts with a letter or digit");
      }
      requireCharacters(base);
      requireCharacters(rest);
    }

    private static void requireCharacters(String name) {
      for (int i = 0; i < name.length(); i++) {
        char c = name.charAt(i);
        if (!alphanumeric(c) && "-:./_".indexOf(c) < 0) {
          throw SignedObjectException.malformed("a SenML name has a character that is not allowed");
        }
      }
    }

    private static boolean alphanumeric(char c) {
      return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
    }
  }
}
