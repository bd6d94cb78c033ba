package dev.vigil.mirror;

import java.util.Comparator;
import java.util.Objects;

/** Where a key stands in lists, which are in the order of domains, names, endpoints and keys. */
public record KeyPlace(String d, String ep, String id, String jkt) implements Comparable<KeyPlace> {
  private static final Comparator<KeyPlace> ORDER =
      Comparator.comparing(KeyPlace::d)
          .thenComparing(KeyPlace::ep)
          .thenComparing(KeyPlace::id)
          .thenComparing(KeyPlace::jkt);

  public static KeyPlace of(KeyView key) {
    return new KeyPlace(
        key.d(),
        Objects.requireNonNullElse(key.ep(), ""),
        Objects.requireNonNullElse(key.id(), ""),
        key.jkt());
  }

  @Override
  public int compareTo(KeyPlace other) {
    return ORDER.compare(this, other);
  }
}
