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
  /** What a value with its place in the tree takes, its letters apart; and an attribute's tree. */
  private static final int VALUE_OCTETS = 96;

  private static final int NAME_OCTETS = 192;

  /** What a set of entries takes, and each one in it. */
  private static final int SET_OCTETS = 64;

  private static final int MEMBER_OCTETS = 8;

  /** An {@link Entry} or {@link Ordinals}. */
  private final Map<String, TreeMap<String, Object>> values = new HashMap<>();

  private long octets;

  /** About what all of this takes of memory. */
  long octets() {
    return octets;
  }

  private static long octets(String text, int besides) {
    return besides + 2L * text.length();
  }

  void add(String attribute, String value, Entry entry) {
    TreeMap<String, Object> byValue = values.computeIfAbsent(attribute, this::tree);
    Object present = byValue.putIfAbsent(value, entry);
    switch (present) {
      case null -> octets += octets(value, VALUE_OCTETS);
      case Ordinals many -> {
        int before = many.size();
        many.add(entry.ordinal());
        octets += MEMBER_OCTETS * (many.size() - before);
      }
      case Entry one -> {
        if (one != entry) {
          Ordinals many = new Ordinals();
          many.add(one.ordinal());
          many.add(entry.ordinal());
          byValue.put(value, many);
          octets += SET_OCTETS + 2 * MEMBER_OCTETS;
        }
      }
      default -> throw new AssertionError(present);
    }
  }

  private TreeMap<String, Object> tree(String attribute) {
    octets += octets(attribute, NAME_OCTETS);
    return new TreeMap<>();
  }

  void remove(String attribute, String value, Entry entry) {
    TreeMap<String, Object> byValue = values.get(attribute);
    if (byValue == null) {
      return;
    }
    Object present = byValue.get(value);
    if (present == entry) {
      byValue.remove(value);
      octets -= octets(value, VALUE_OCTETS);
    } else if (present instanceof Ordinals many) {
      int before = many.size();
      many.remove(entry.ordinal());
      octets -= MEMBER_OCTETS * (before - many.size());
      if (many.size() == 0) {
        byValue.remove(value);
        octets -= octets(value, VALUE_OCTETS) + SET_OCTETS;
      }
    }
    if (byValue.isEmpty()) {
      values.remove(attribute);
      octets -= octets(attribute, NAME_OCTETS);
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
  List<Posting> beginning(String attribute, String prefix, Effort effort) {
    List<Posting> found = new ArrayList<>();
    for (Object present : range(attribute, prefix).values()) {
      effort.spent(Effort.VALUE);
      found.add(posting(present));
    }
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
