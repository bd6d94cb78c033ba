package dev.vigil.mirror.senml;

import dev.vigil.mirror.wire.Rejection;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A SenML pack, checked: every record resolves (RFC 8428 section 4). */
public record Pack(List<Item> items) {
  /** Times below this are relative to now, here to the arrival (RFC 8428 section 4.5.3). */
  public static final double RELATIVE_BELOW = 1L << 28;

  private static final int MAX_ITEMS = 256;

  /** Of a whole name, and of a unit: each record repeats those of the pack when it is resolved. */
  private static final int MAX_TEXT = 255;

  /** Seconds from now or from 1970; calendars and milliseconds still hold it. */
  private static final double FARTHEST = 1L << 53;

  private static final long VERSION = 10;

  public Pack {
    items = List.copyOf(items);
  }

  /**
   * @throws Rejection 4.00
   */
  public static Pack readJson(byte[] octets) {
    return checked(SenmlJson.read(octets));
  }

  /**
   * @throws Rejection 4.00
   */
  public static Pack readCbor(byte[] octets) {
    return checked(SenmlCbor.read(octets));
  }

  public byte[] writeJson() {
    return SenmlJson.write(items);
  }

  public byte[] writeCbor() {
    return SenmlCbor.write(items);
  }

  private static Pack checked(List<Item> items) {
    if (items.isEmpty()) {
      throw Rejection.malformed("the SenML pack is empty");
    }
    Bases bases = new Bases();
    for (Item item : items) {
      bases.adopt(item);
      bases.require(item);
    }
    return new Pack(items);
  }

  static void requireRoom(List<Item> items) {
    if (items.size() == MAX_ITEMS) {
      throw Rejection.malformed("more than " + MAX_ITEMS + " SenML records");
    }
  }

  /**
   * Whole names and absolute times (RFC 8428 section 4.6).
   *
   * @param now the arrival, unix time in seconds
   */
  public List<Measurement> resolve(double now) {
    Bases bases = new Bases();
    List<Measurement> measurements = new ArrayList<>(items.size());
    for (Item item : items) {
      measurements.add(bases.apply(item, now));
    }
    return measurements;
  }

  /**
   * When the newest record was measured, unix time in seconds; what is relative, or has no time,
   * counts as now.
   *
   * @param now the arrival, unix time in seconds
   */
  public double newest(double now) {
    Bases bases = new Bases();
    double newest = Double.NEGATIVE_INFINITY;
    for (Item item : items) {
      bases.adopt(item);
      double at = bases.time(item);
      newest = Math.max(newest, at < RELATIVE_BELOW ? now : at);
    }
    return newest;
  }

  /** A pack of resolved records, which need no arrival time to be understood. */
  public static Pack of(List<Measurement> measurements) {
    return new Pack(
        measurements.stream()
            .map(
                m ->
                    new Item(
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

  /** A number in JSON: a whole one without fraction, else the shortest that reads back the same. */
  public static String decimal(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : new BigDecimal(Double.toString(value)).toString();
  }

  /** A value as text (content format 0). */
  public static String text(@Nullable Value value) {
    return switch (value) {
      case null -> "";
      case Value.Number(double number) -> decimal(number);
      case Value.Text(String text) -> text;
      case Value.Bool(boolean bool) -> Boolean.toString(bool);
      case Value.Data(byte[] octets) ->
          java.util.Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
    };
  }

  /** The base fields in force; each stays until another record sets it anew. */
  private static final class Bases {
    private String name = "";
    private double time;
    private @Nullable String unit;
    private @Nullable Double value;
    private @Nullable Double sum;
    private long version = VERSION;

    Measurement apply(Item item, double now) {
      adopt(item);
      Value own = item.value();
      Value resolved = own;
      if (value != null && (own instanceof Value.Number || own == null && item.sum() == null)) {
        resolved = new Value.Number(value + (own instanceof Value.Number(double v) ? v : 0));
      }
      double at = time(item);
      boolean relative = at < RELATIVE_BELOW;
      return new Measurement(
          item.name() == null ? name : name + item.name(),
          item.unit() == null ? unit : item.unit(),
          resolved,
          item.sum() == null && sum == null ? null : (Double) (or(item.sum()) + or(sum)),
          relative ? now + at : at,
          item.updateTime(),
          relative);
    }

    /** Less than {@link #RELATIVE_BELOW} is relative to the arrival. */
    double time(Item item) {
      return time + or(item.time());
    }

    /** Whether a record resolves, its base fields being adopted. */
    void require(Item item) {
      requireName(name, item.name() == null ? "" : item.name());
      if (item.value() == null && item.sum() == null && value == null && sum == null) {
        throw Rejection.malformed("a SenML record has neither value nor sum");
      }
      requireShort(name, item.name());
      requireShort(unit, null);
      requireShort(item.unit(), null);
      // Each number is finite; what they add up to need not be.
      double own = item.value() instanceof Value.Number(double v) ? v : 0;
      if (!Double.isFinite(or(value) + own) || !Double.isFinite(or(sum) + or(item.sum()))) {
        throw Rejection.malformed("a SenML value is out of range with its base value");
      }
      if (!(Math.abs(time(item)) <= FARTHEST)) {
        throw Rejection.malformed("a SenML time is out of range");
      }
    }

    void adopt(Item item) {
      name = item.baseName() == null ? name : item.baseName();
      time = item.baseTime() == null ? time : item.baseTime();
      unit = item.baseUnit() == null ? unit : item.baseUnit();
      value = item.baseValue() == null ? value : item.baseValue();
      sum = item.baseSum() == null ? sum : item.baseSum();
      version = item.baseVersion() == null ? version : item.baseVersion();
      if (version > VERSION) {
        throw Rejection.malformed("SenML version above " + VERSION);
      }
    }

    private static void requireShort(@Nullable String first, @Nullable String rest) {
      int length = (first == null ? 0 : first.length()) + (rest == null ? 0 : rest.length());
      if (length > MAX_TEXT) {
        throw Rejection.malformed("a SenML name or unit has more than " + MAX_TEXT + " characters");
      }
    }

    private static double or(@Nullable Double value) {
      return value == null ? 0 : value;
    }

    /** Of a whole name in its two parts. */
    private static void requireName(String base, String rest) {
      String first = base.isEmpty() ? rest : base;
      if (first.isEmpty() || !alphanumeric(first.charAt(0))) {
        throw Rejection.malformed("a SenML name starts with a letter or digit");
      }
      requireCharacters(base);
      requireCharacters(rest);
    }

    private static void requireCharacters(String name) {
      for (int i = 0; i < name.length(); i++) {
        char c = name.charAt(i);
        if (!alphanumeric(c) && "-:./_".indexOf(c) < 0) {
          throw Rejection.malformed("a SenML name has a character that is not allowed");
        }
      }
    }

    private static boolean alphanumeric(char c) {
      return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
    }
  }
}
