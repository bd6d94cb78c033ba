package dev.vigil.mirror.read;

import java.util.Comparator;
import java.util.Objects;

/**
 * The position of a key in lists, which are ordered by domain, name, endpoint id and thumbprint.
 */
public record KeyCursor(String d, String ep, String id, String jkt)
    implements Comparable<KeyCursor> {
  private static final Comparator<KeyCursor> ORDER =
      Comparator.comparing(KeyCursor::d)
          .thenComparing(KeyCursor::ep)
          .thenComparing(KeyCursor::id)
          .thenComparing(KeyCursor::jkt);

  public static KeyCursor of(KeyView key) {
    return new KeyCursor(
        key.d(),
        Objects.requireNonNullElse(key.ep(), ""),
        Objects.requireNonNullElse(key.id(), ""),
        key.jkt());
  }

  @Override
  public int compareTo(KeyCursor other) {
    return ORDER.compare(this, other);
  }
}
