package dev.vigil.mirror.senml;

import dev.vigil.mirror.wire.Rejection;
import org.jspecify.annotations.Nullable;

/** The fields of one record while it is read, whatever language it stands in. */
final class Fields {
  private @Nullable String baseName;
  private @Nullable Double baseTime;
  private @Nullable String baseUnit;
  private @Nullable Double baseValue;
  private @Nullable Double baseSum;
  private @Nullable Long baseVersion;
  private @Nullable String name;
  private @Nullable String unit;
  private @Nullable Value value;
  private @Nullable Double sum;
  private @Nullable Double time;
  private @Nullable Double updateTime;

  /** Reads values of the language at hand. */
  interface Source {
    String text();

    double number();

    long integer();

    boolean bool();

    byte[] data();
  }

  void read(Label label, Source source) {
    switch (label) {
      case BASE_VERSION -> baseVersion = source.integer();
      case BASE_NAME -> baseName = source.text();
      case BASE_TIME -> baseTime = source.number();
      case BASE_UNIT -> baseUnit = source.text();
      case BASE_VALUE -> baseValue = source.number();
      case BASE_SUM -> baseSum = source.number();
      case NAME -> name = source.text();
      case UNIT -> unit = source.text();
      case VALUE -> only(new Value.Number(source.number()));
      case STRING -> only(new Value.Text(source.text()));
      case BOOL -> only(new Value.Bool(source.bool()));
      case DATA -> only(new Value.Data(source.data()));
      case SUM -> sum = source.number();
      case TIME -> time = source.number();
      case UPDATE_TIME -> updateTime = source.number();
    }
  }

  /** Unknown fields are passed over, unless their name says that they must be understood. */
  static void unknown(String name) {
    if (name.endsWith("_")) {
      throw Rejection.malformed("a SenML field that must be understood is unknown");
    }
  }

  private void only(Value read) {
    if (value != null) {
      throw Rejection.malformed("a SenML record has two values");
    }
    value = read;
  }

  Item item() {
    return new Item(
        baseName,
        baseTime,
        baseUnit,
        baseValue,
        baseSum,
        baseVersion,
        name,
        unit,
        value,
        sum,
        time,
        updateTime);
  }
}
