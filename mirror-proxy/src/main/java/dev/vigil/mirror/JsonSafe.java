package dev.vigil.mirror;

import dev.vigil.mirror.wire.JsonReader;

/** Text from outside, fit for one line. */
final class JsonSafe {
  private JsonSafe() {}

  static String line(String text) {
    return JsonReader.printable(text);
  }
}
