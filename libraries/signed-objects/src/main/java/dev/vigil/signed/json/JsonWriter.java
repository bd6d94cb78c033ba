package dev.vigil.signed.json;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes one JSON object or array, with members in call order and without white space. */
public final class JsonWriter {
  private final StringBuilder text = new StringBuilder(256);
  private boolean first = true;

  public JsonWriter open(char bracket) {
    separate();
    text.append(bracket);
    first = true;
    return this;
  }

  public JsonWriter close(char bracket) {
    text.append(bracket);
    first = false;
    return this;
  }

  public JsonWriter name(String name) {
    separate();
    quote(name);
    text.append(':');
    first = true;
    return this;
  }

  public JsonWriter member(String name, @Nullable String value) {
    return value == null ? this : name(name).string(value);
  }

  public JsonWriter member(String name, long value) {
    return name(name).raw(Long.toString(value));
  }

  public JsonWriter string(String value) {
    separate();
    quote(value);
    return this;
  }

  /** Writes a value that is already encoded in JSON. */
  public JsonWriter raw(String json) {
    separate();
    text.append(json);
    return this;
  }

  public byte[] toOctets() {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return text.toString();
  }

  private void separate() {
    if (!first) {
      text.append(',');
    }
    first = false;
  }

  private void quote(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < 0x20) {
        text.append("\\u%04x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
