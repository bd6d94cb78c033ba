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
    Pack pack = new Pack(items);
    if (pack.resolve(RELATIVE_BELOW).isEmpty()) {
      throw Rejection.malformed("the SenML pack is empty");
    }
    return pack;
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
      String whole = name + (item.name() == null ? "" : item.name());
      requireName(whole);
      Value own = item.value();
      Value resolved = own;
      if (value != null && (own instanceof Value.Number || own == null && item.sum() == null)) {
        resolved = new Value.Number(value + (own instanceof Value.Number(double v) ? v : 0));
      }
      Double total = item.sum() == null && sum == null ? null : (Double) (or(item.sum()) + or(sum));
      if (resolved == null && total == null) {
        throw Rejection.malformed("a SenML record has neither value nor sum");
      }
      double at = time + or(item.time());
      boolean relative = at < RELATIVE_BELOW;
      return new Measurement(
          whole,
          item.unit() == null ? unit : item.unit(),
          resolved,
          total,
          relative ? now + at : at,
          item.updateTime(),
          relative);
    }

    private void adopt(Item item) {
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

    private static double or(@Nullable Double value) {
      return value == null ? 0 : value;
    }

    private static void requireName(String name) {
      if (name.isEmpty() || !alphanumeric(name.charAt(0))) {
        throw Rejection.malformed("a SenML name starts with a letter or digit");
      }
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
