package dev.vigil.gateway.audit;

import dev.vigil.mirror.read.AuditEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Searches the audit trail; each request searches a bounded part of it. */
final class AuditSearch {
  /** The number of changes that a search reads from the store at a time. */
  static final int CHUNK = 500;

  /** Entries examined in one request; the next request continues the search. */
  static final int MAX_SEARCHED = 20_000;

  /**
   * A page of entries.
   *
   * @param next the position before which the next page begins; null at the end of the trail
   */
  record Found(List<AuditEntry> entries, @Nullable Long next) {}

  private AuditSearch() {}

  /**
   * The wanted entries before a position. Entries of one change share their position and stay on
   * one page.
   *
   * @param size entries after which the page ends with its change
   * @param chunk number of changes that {@code trail} reads at most
   * @param trail reads changes before a position, the newest first
   */
  static Found newestFirst(
      long before,
      int size,
      Predicate<AuditEntry> wanted,
      int chunk,
      LongFunction<List<AuditEntry>> trail) {
    List<AuditEntry> found = new ArrayList<>();
    long position = before;
    int searched = 0;
    while (searched < MAX_SEARCHED) {
      List<AuditEntry> entries = trail.apply(position);
      for (AuditEntry entry : entries) {
        if (found.size() >= size && entry.position() != position) {
          return new Found(found, position);
        }
        position = entry.position();
        if (wanted.test(entry)) {
          found.add(entry);
        }
      }
      if (entries.size() < chunk) {
        return new Found(found, null);
      }
      searched += entries.size();
    }
    return new Found(found, position);
  }

  /** Whether author, decision, endpoint or record contain a text; case does not matter. */
  static boolean finds(String text, AuditEntry entry) {
    String part = text.strip().toLowerCase(Locale.ROOT);
    AuditEntry.Edit edit = entry.edit();
    return Stream.of(
            entry.actor(),
            entry.action(),
            entry.ep(),
            entry.d(),
            entry.jkt(),
            edit == null ? null : edit.kind(),
            edit == null ? null : edit.record())
        .filter(Objects::nonNull)
        .anyMatch(member -> member.toLowerCase(Locale.ROOT).contains(part));
  }
}
