package dev.vigil.signed.senml;

import dev.vigil.signed.SignedObjectException;
import org.jspecify.annotations.Nullable;

/** Collects the fields of one record while it is parsed, from JSON or CBOR. */
final class RecordFields {
  private @Nullable String baseName;
  private @Nullable Double baseTime;
  private @Nullable String baseUnit;
  private @Nullable Double baseValue;
  private @Nullable Double baseSum;
  private @Nullable Long baseVersion;
  private @Nullable String name;
  private @Nullable String unit;
  private @Nullable SenmlValue value;
  private @Nullable Double sum;
  private @Nullable Double time;
  private @Nullable Double updateTime;

  /** Reads field values from JSON or CBOR. */
  interface FieldReader {
    String text();

    double number();

    long integer();

    boolean bool();

    byte[] data();
  }

  void read(SenmlLabel label, FieldReader in) {
    switch (label) {
      case BASE_VERSION -> baseVersion = in.integer();
      case BASE_NAME -> baseName = in.text();
      case BASE_TIME -> baseTime = in.number();
      case BASE_UNIT -> baseUnit = in.text();
      case BASE_VALUE -> baseValue = in.number();
      case BASE_SUM -> baseSum = in.number();
      case NAME -> name = in.text();
      case UNIT -> unit = in.text();
      case VALUE -> setValue(new SenmlValue.Number(in.number()));
      case STRING -> setValue(new SenmlValue.Text(in.text()));
      case BOOL -> setValue(new SenmlValue.Bool(in.bool()));
      case DATA -> setValue(new SenmlValue.Data(in.data()));
      case SUM -> sum = in.number();
      case TIME -> time = in.number();
      case UPDATE_TIME -> updateTime = in.number();
    }
  }

  /** Refuses an unknown field whose name ends with an underscore (RFC 8428 section 4.4). */
  static void requireSkippable(String name) {
    if (name.endsWith("_")) {
      throw SignedObjectException.malformed("unknown SenML field that must be understood");
    }
  }

  private void setValue(SenmlValue read) {
    if (value != null) {
      throw SignedObjectException.malformed("a SenML record has two values");
    }
    value = read;
  }

  SenmlRecord toRecord() {
    return new SenmlRecord(
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
