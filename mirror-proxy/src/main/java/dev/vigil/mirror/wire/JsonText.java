package dev.vigil.mirror.wire;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes one JSON object or array, members in the order given, without white space. */
public final class JsonText {
  private final StringBuilder text = new StringBuilder(256);
  private boolean first = true;

  public JsonText open(char bracket) {
    separate();
    text.append(bracket);
    first = true;
    return this;
  }

  public JsonText close(char bracket) {
    text.append(bracket);
    first = false;
    return this;
  }

  public JsonText name(String name) {
    separate();
    quote(name);
    text.append(':');
    first = true;
    return this;
  }

  public JsonText member(String name, @Nullable String value) {
    return value == null ? this : name(name).string(value);
  }

  public JsonText member(String name, long value) {
    return name(name).raw(Long.toString(value));
  }

  public JsonText string(String value) {
    separate();
    quote(value);
    return this;
  }

  /** A value that is JSON already. */
  public JsonText raw(String json) {
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
