package dev.vigil.directory.catalogue;

import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.link.References;
import dev.vigil.directory.registration.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * One lookup: takes candidate entries in their order and keeps the links that all criteria match,
 * from the first wanted on, until there are enough.
 */
public abstract sealed class Search {
  private final List<Criterion> criteria;
  private final String ownBase;
  private final Predicate<Entry> visible;
  private final long first;
  private final long count;
  private final boolean ofMirror;
  private long seen;

  /**
   * @param criteria search criteria; neither {@code page} nor {@code count}
   * @param ownBase scheme and authority of this directory and mirror, as the client reached them
   * @param visible what this client may be shown
   * @param first how many matching links to pass over
   * @param count how many to keep
   * @param ofMirror whether to look only at what the mirror serves, and at its links as they are
   */
  private Search(
      List<Query.Parameter> criteria,
      String ownBase,
      Predicate<Entry> visible,
      long first,
      long count,
      boolean ofMirror) {
    this.criteria = criteria.stream().map(Criterion::of).toList();
    this.ownBase = ownBase;
    this.visible = visible;
    this.first = first;
    this.count = count;
    this.ofMirror = ofMirror;
  }

  boolean isOfMirror() {
    return ofMirror;
  }

  List<Criterion> criteria() {
    return criteria;
  }

  String ownBase() {
    return ownBase;
  }

  boolean isSated() {
    return seen - first >= count;
  }

  /**
   * @return what it cost, see {@link Effort}
   */
  long consider(Entry entry) {
    Entry.Content content = entry.content();
    boolean inScope = !ofMirror || content.origin() instanceof Registration.Mirrored;
    boolean parsed = inScope && visible.test(entry) && examine(entry, content);
    return Effort.ENTRY + (parsed ? content.links().length : 0);
  }

  /**
   * @return whether its links were looked at
   */
  abstract boolean examine(Entry entry, Entry.Content content);

  /** Counts a matching link; true when it is one of those wanted. */
  boolean isWanted() {
    long number = seen++;
    return number >= first && number - first < count;
  }

  /** Finds endpoints: those that match every criterion themselves or by any of their links. */
  public static final class Endpoints extends Search {
    private final List<Entry> found = new ArrayList<>();

    public Endpoints(
        List<Query.Parameter> criteria,
        String ownBase,
        Predicate<Entry> visible,
        long first,
        long count) {
      super(criteria, ownBase, visible, first, count, false);
    }

    public List<Entry> found() {
      return found;
    }

    @Override
    boolean examine(Entry entry, Entry.Content content) {
      List<Criterion> left = unmatched(this, entry, content);
      if (!left.isEmpty()) {
        List<Link> links = content.parseLinks();
        String base = Criterion.base(content, ownBase());
        for (Criterion criterion : left) {
          if (links.stream().noneMatch(link -> criterion.matchesLink(link, base))) {
            return true;
          }
        }
      }
      if (isWanted()) {
        found.add(entry);
      }
      return !left.isEmpty();
    }
  }

  /** Finds links: those that match every criterion themselves or by their endpoint. */
  public static final class Resources extends Search {
    private final List<Link> found = new ArrayList<>();

    public Resources(
        List<Query.Parameter> criteria,
        String ownBase,
        Predicate<Entry> visible,
        long first,
        long count) {
      super(criteria, ownBase, visible, first, count, false);
    }

    private Resources(List<Query.Parameter> criteria, Predicate<Entry> visible, long count) {
      super(criteria, "", visible, 0, count, true);
    }

    /**
     * For {@code /.well-known/core} (RFC 6690 section 4.1): the mirror's links alone, path-absolute
     * as they are, and only their own attributes count.
     */
    public static Resources ofMirror(
        List<Query.Parameter> criteria, Predicate<Entry> visible, long count) {
      return new Resources(criteria, visible, count);
    }

    public List<Link> found() {
      return found;
    }

    @Override
    boolean examine(Entry entry, Entry.Content content) {
      List<Criterion> left = unmatched(this, entry, content);
      String base = Criterion.base(content, ownBase());
      for (Link link : content.parseLinks()) {
        if (isSated()) {
          break;
        }
        if (matchesAll(link, left, base) && isWanted()) {
          found.add(
              isOfMirror() ? link : link.map(reference -> References.resolve(base, reference)));
        }
      }
      return true;
    }
  }

  private static List<Criterion> unmatched(Search search, Entry entry, Entry.Content content) {
    if (search.ofMirror) {
      return search.criteria;
    }
    return search.criteria.stream()
        .filter(criterion -> !criterion.matchesEndpoint(entry, content, search.ownBase))
        .toList();
  }

  private static boolean matchesAll(Link link, List<Criterion> criteria, String base) {
    for (Criterion criterion : criteria) {
      if (!criterion.matchesLink(link, base)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a link of no endpoint, as the directory's own, matches all criteria. */
  public static boolean matches(Link link, List<Query.Parameter> criteria) {
    return matchesAll(link, criteria.stream().map(Criterion::of).toList(), "");
  }
}
