package dev.vigil.directory.catalogue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the entries that have a value of an attribute, exactly or by prefix, in time logarithmic in
 * the number of distinct values. A value that only one entry has, like most names and addresses,
 * points at the entry itself.
 */
final class AttributeIndex {
  /** Memory of a value with its tree node, without its characters. */
  private static final int VALUE_OCTETS = 96;

  /** Memory of an attribute's tree. */
  private static final int NAME_OCTETS = 192;

  /** Memory of a set of entries, and of each of its members. */
  private static final int SET_OCTETS = 64;

  private static final int MEMBER_OCTETS = 8;

  /** By attribute and value: a {@link CatalogueEntry} or an {@link OrdinalSet}. */
  private final Map<String, TreeMap<String, Object>> values = new HashMap<>();

  private long octets;

  /** An estimate of the memory of the whole index. */
  long octets() {
    return octets;
  }

  private static long octets(String text, int overhead) {
    return overhead + 2L * text.length();
  }

  void add(String attribute, String value, CatalogueEntry entry) {
    TreeMap<String, Object> byValue = values.computeIfAbsent(attribute, this::tree);
    Object present = byValue.putIfAbsent(value, entry);
    switch (present) {
      case null -> octets += octets(value, VALUE_OCTETS);
      case OrdinalSet many -> {
        int before = many.size();
        many.add(entry.ordinal());
        octets += MEMBER_OCTETS * (many.size() - before);
      }
      case CatalogueEntry one -> {
        if (one != entry) {
          OrdinalSet many = new OrdinalSet();
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

  void remove(String attribute, String value, CatalogueEntry entry) {
    TreeMap<String, Object> byValue = values.get(attribute);
    if (byValue == null) {
      return;
    }
    Object present = byValue.get(value);
    if (present == entry) {
      byValue.remove(value);
      octets -= octets(value, VALUE_OCTETS);
    } else if (present instanceof OrdinalSet many) {
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

  /** The index's own instance of an equal string, so that equal values are stored only once. */
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

  /** The postings of all values that begin with a prefix. */
  List<Posting> withPrefix(String attribute, String prefix, LookupBudget budget) {
    List<Posting> found = new ArrayList<>();
    for (Object present : range(attribute, prefix).values()) {
      budget.charge(LookupBudget.VALUE);
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
      case CatalogueEntry one -> new Posting(one.ordinal(), null);
      case OrdinalSet many -> new Posting(OrdinalSet.NONE, many);
      default -> throw new AssertionError(present);
    };
  }

  /**
   * The entries that have one value.
   *
   * @param one the ordinal of the only entry; unused when there are {@code many}
   */
  record Posting(int one, @Nullable OrdinalSet many) {
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
      return from <= one ? one : OrdinalSet.NONE;
    }
  }
}
