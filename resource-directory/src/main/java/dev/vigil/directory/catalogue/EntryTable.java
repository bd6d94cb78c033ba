package dev.vigil.directory.catalogue;

import dev.vigil.store.EndpointName;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The catalogue's entries by ordinal, id and name. Guarded by the catalogue's lock. */
final class EntryTable {
  /** Memory of an entry with its map entry by id, without links and parameters. */
  private static final int ENTRY_OCTETS = 320;

  private static final int PARAMETER_OCTETS = 48;

  private @Nullable CatalogueEntry[] entries = new @Nullable CatalogueEntry[64];
  private int allocated;
  private final OrdinalSet free = new OrdinalSet();
  private final Map<String, CatalogueEntry> byId = new HashMap<>();
  private final AttributeIndex names = new AttributeIndex();
  private final StrangerEntries strangers = new StrangerEntries();
  private long octets;

  CatalogueEntry add(String id, EndpointName name, CatalogueEntry.Content content) {
    CatalogueEntry entry = new CatalogueEntry(freeOrdinal(), id, name, content);
    entries[entry.ordinal()] = entry;
    octets += octets(content);
    byId.put(id, entry);
    names.add("ep", name.ep(), entry);
    strangers.hold(entry);
    return entry;
  }

  private int freeOrdinal() {
    int freed = free.nextFrom(0);
    if (freed != OrdinalSet.NONE) {
      free.remove(freed);
      return freed;
    }
    if (allocated == LifetimeQueue.MOST_ORDINALS) {
      throw new IllegalStateException("more than " + allocated + " endpoints");
    }
    if (allocated == entries.length) {
      entries = Arrays.copyOf(entries, allocated + allocated / 2);
    }
    return allocated++;
  }

  void replace(CatalogueEntry entry, CatalogueEntry.Content content) {
    octets += octets(content) - octets(entry.content());
    entry.replace(content);
    strangers.hold(entry);
  }

  void remove(CatalogueEntry entry) {
    names.remove("ep", entry.name().ep(), entry);
    strangers.release(entry);
    byId.remove(entry.id());
    entries[entry.ordinal()] = null;
    octets -= octets(entry.content());
    free.add(entry.ordinal());
  }

  @Nullable CatalogueEntry at(int ordinal) {
    return entries[ordinal];
  }

  @Nullable CatalogueEntry byId(String id) {
    return byId.get(id);
  }

  Optional<CatalogueEntry> byName(EndpointName name) {
    AttributeIndex.Posting posting = names.exact("ep", name.ep());
    if (posting == null) {
      return Optional.empty();
    }
    for (int at = posting.nextFrom(0); at != OrdinalSet.NONE; at = posting.nextFrom(at + 1)) {
      CatalogueEntry entry = entries[at];
      if (entry != null && entry.name().equals(name)) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }

  StrangerEntries strangers() {
    return strangers;
  }

  /** All entries by {@code ep}, including entries in their grace period. */
  AttributeIndex names() {
    return names;
  }

  List<CatalogueEntry> all() {
    return List.copyOf(byId.values());
  }

  int size() {
    return byId.size();
  }

  static long octets(CatalogueEntry.Content content) {
    return ENTRY_OCTETS
        + content.links().length()
        + (long) PARAMETER_OCTETS * content.parameters().size();
  }

  /** An estimate of the memory of all entries and of the index of names. */
  long octets() {
    return octets + names.octets() + strangers.octets();
  }
}
