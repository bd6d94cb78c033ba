package dev.vigil.signed.senml;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The labels of record fields: JSON names and CBOR numbers (RFC 8428 tables 1 and 4). */
enum SenmlLabel {
  BASE_VERSION("bver", -1),
  BASE_NAME("bn", -2),
  BASE_TIME("bt", -3),
  BASE_UNIT("bu", -4),
  BASE_VALUE("bv", -5),
  BASE_SUM("bs", -6),
  NAME("n", 0),
  UNIT("u", 1),
  VALUE("v", 2),
  STRING("vs", 3),
  BOOL("vb", 4),
  SUM("s", 5),
  TIME("t", 6),
  UPDATE_TIME("ut", 7),
  DATA("vd", 8);

  private static final Map<String, SenmlLabel> BY_NAME = new HashMap<>();

  static {
    for (SenmlLabel label : values()) {
      BY_NAME.put(label.json, label);
    }
  }

  final String json;
  final int cbor;

  SenmlLabel(String json, int cbor) {
    this.json = json;
    this.cbor = cbor;
  }

  static @Nullable SenmlLabel ofJson(String name) {
    return BY_NAME.get(name);
  }

  static @Nullable SenmlLabel ofCbor(long number) {
    for (SenmlLabel label : values()) {
      if (label.cbor == number) {
        return label;
      }
    }
    return null;
  }
}
