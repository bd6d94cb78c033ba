package dev.vigil.directory.catalogue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which entries have which value of which attribute: found in the logarithm of the number of
 * different values, exactly or by prefix. A value that one entry has, as most names and addresses
 * are, points at the entry itself.
 */
final class AttributeIndex {
  /** An {@link Entry} or {@link Ordinals}. */
  private final Map<String, TreeMap<String, Object>> values = new HashMap<>();

  void add(String attribute, String value, Entry entry) {
    TreeMap<String, Object> byValue = values.computeIfAbsent(attribute, name -> new TreeMap<>());
    Object present = byValue.putIfAbsent(value, entry);
    switch (present) {
      case null -> {}
      case Ordinals many -> many.add(entry.ordinal());
      case Entry one -> {
        if (one != entry) {
          Ordinals many = new Ordinals();
          many.add(one.ordinal());
          many.add(entry.ordinal());
          byValue.put(value, many);
        }
      }
      default -> throw new AssertionError(present);
    }
  }

  void remove(String attribute, String value, Entry entry) {
    TreeMap<String, Object> byValue = values.get(attribute);
    if (byValue == null) {
      return;
    }
    Object present = byValue.get(value);
    if (present == entry) {
      byValue.remove(value);
    } else if (present instanceof Ordinals many) {
      many.remove(entry.ordinal());
      if (many.size() == 0) {
        byValue.remove(value);
      }
    }
    if (byValue.isEmpty()) {
      values.remove(attribute);
    }
  }

  /** The same string as the index holds it, so that equal values are kept once. */
  String canonical(String attribute, String value) {
    TreeMap<String, Object> byValue = values.get(attribute);
    if (byValue == null) {
      return value;
    }
    String known = byValue.ceilingKey(value);
    return known != null && known.equals(value) ? known : value;
  }

  @Nullable Posting exact(String attribute, String value) {
    TreeMap<String, Object> byValue = values.get(attribute);
    Object present = byValue == null ? null : byValue.get(value);
    return present == null ? null : posting(present);
  }

  /** All values that begin with a prefix. */
  List<Posting> beginning(String attribute, String prefix) {
    List<Posting> found = new ArrayList<>();
    range(attribute, prefix).values().forEach(p -> found.add(posting(p)));
    return found;
  }

  private NavigableMap<String, Object> range(String attribute, String prefix) {
    TreeMap<String, Object> byValue = values.getOrDefault(attribute, new TreeMap<>());
    return prefix.isEmpty()
        ? byValue
        : byValue.subMap(prefix, true, prefix + Character.MAX_VALUE, false);
  }

  private static Posting posting(Object present) {
    return switch (present) {
      case Entry one -> new Posting(one.ordinal(), null);
      case Ordinals many -> new Posting(Ordinals.NONE, many);
      default -> throw new AssertionError(present);
    };
  }

  /** The entries with one value. */
  record Posting(int one, @Nullable Ordinals many) {
    int size() {
      return many == null ? 1 : many.size();
    }

    boolean contains(int ordinal) {
      return many == null ? one == ordinal : many.contains(ordinal);
    }

    int nextFrom(int from) {
      if (many != null) {
        return many.nextFrom(from);
      }
      return from <= one ? one : Ordinals.NONE;
    }
  }
}
