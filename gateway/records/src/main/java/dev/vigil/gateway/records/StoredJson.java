package dev.vigil.gateway.records;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Repairs JSON that earlier versions stored. */
final class StoredJson {
  /**
   * An escaped surrogate. Jackson writes surrogate pairs as UTF-8, so an escaped surrogate is
   * always a lone one.
   */
  private static final Pattern SURROGATE =
      Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\u[dD][89a-fA-F][0-9a-fA-F]{2}");

  private static final byte[] ESCAPE = "\\u".getBytes(StandardCharsets.US_ASCII);

  private StoredJson() {}

  /** The JSON with each lone surrogate replaced by the replacement character. */
  static byte[] repaired(byte[] json) {
    for (int i = 0; i + 1 < json.length; i++) {
      if (json[i] == ESCAPE[0] && json[i + 1] == ESCAPE[1]) {
        String text = new String(json, StandardCharsets.UTF_8);
        return SURROGATE.matcher(text).replaceAll("$1\\\\ufffd").getBytes(StandardCharsets.UTF_8);
      }
    }
    return json;
  }
}
