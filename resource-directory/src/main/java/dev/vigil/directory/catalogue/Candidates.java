package dev.vigil.directory.catalogue;

import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.UriReferences;
import dev.vigil.directory.catalogue.AttributeIndex.Posting;
import dev.vigil.directory.publishing.PublishedLocation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A superset of the entries that match all criteria: the union of the postings of the most
 * selective criterion, filtered by the other exact criteria.
 */
final class Candidates {
  /** Merging more postings than this costs more than building their union first. */
  private static final int MAX_MERGED = 8;

  private final List<Posting> union;
  private final List<Posting> filters;

  private Candidates(List<Posting> union, List<Posting> filters) {
    this.union = union.size() <= MAX_MERGED ? union : List.of(unite(union));
    this.filters = filters;
  }

  /**
   * @param values the attributes of living entries
   * @param published the living entries of published endpoints
   * @param location the location that serves the resources of published endpoints
   */
  record Indexes(
      EntryTable entries,
      AttributeIndex values,
      OrdinalSet living,
      OrdinalSet published,
      PublishedLocation location) {}

  static Candidates choose(LookupSearch search, Indexes indexes, LookupBudget budget) {
    Posting published = new Posting(OrdinalSet.NONE, indexes.published());
    Posting all =
        search.publishedOnly() ? published : new Posting(OrdinalSet.NONE, indexes.living());
    Finder finder = new Finder(search, indexes, all, published, budget);
    List<List<Posting>> found = new ArrayList<>();
    found.add(List.of(all));
    search.criteria().forEach(criterion -> found.add(finder.find(criterion)));
    List<Posting> smallest =
        found.stream().min(Comparator.comparingLong(Candidates::size)).orElseThrow();
    List<Posting> filters =
        found.stream()
            .filter(postings -> postings != smallest && postings.size() == 1)
            .map(List::getFirst)
            .filter(posting -> posting != all)
            .toList();
    return new Candidates(smallest, filters);
  }

  int nextFrom(int from) {
    int at = from;
    while (true) {
      int next = OrdinalSet.NONE;
      for (Posting posting : union) {
        next = Math.min(next, posting.nextFrom(at));
      }
      if (next == OrdinalSet.NONE || passes(next)) {
        return next;
      }
      at = next + 1;
    }
  }

  private boolean passes(int ordinal) {
    for (Posting filter : filters) {
      if (!filter.contains(ordinal)) {
        return false;
      }
    }
    return true;
  }

  private static long size(List<Posting> postings) {
    return postings.stream().mapToLong(Posting::size).sum();
  }

  private static Posting unite(List<Posting> postings) {
    OrdinalSet united = new OrdinalSet();
    for (Posting posting : postings) {
      for (int at = posting.nextFrom(0); at != OrdinalSet.NONE; at = posting.nextFrom(at + 1)) {
        united.add(at);
      }
    }
    return new Posting(OrdinalSet.NONE, united);
  }

  /** Finds the postings for a criterion; their union contains every matching entry. */
  private record Finder(
      LookupSearch search, Indexes indexes, Posting all, Posting published, LookupBudget budget) {

    List<Posting> find(Criterion criterion) {
      return switch (criterion.attribute()) {
        case Criterion.HREF -> href(criterion);
        case Link.ANCHOR -> resolved(criterion, Catalogue.ANCHORS);
        case "base" -> base(criterion);
        case "ep" -> {
          List<Posting> found = new ArrayList<>(plain(criterion, "ep"));
          found.addAll(plain(indexes.entries().names(), criterion, "ep"));
          yield found;
        }
        case "rt" ->
            !search.publishedOnly() && criterion.accepts(Criterion.ENDPOINT_TYPE)
                ? List.of(all)
                : plain(criterion, "rt");
        default -> plain(criterion, criterion.attribute());
      };
    }

    private List<Posting> plain(Criterion criterion, String name) {
      return plain(indexes.values(), criterion, name);
    }

    private List<Posting> plain(AttributeIndex index, Criterion criterion, String name) {
      if (criterion.prefix()) {
        return index.withPrefix(name, criterion.value(), budget);
      }
      Posting posting = index.exact(name, criterion.value());
      return posting == null ? List.of() : List.of(posting);
    }

    private List<Posting> href(Criterion criterion) {
      for (String rd : List.of("/rd/", search.ownBase() + "/rd/")) {
        if (criterion.prefix() && rd.startsWith(criterion.value())) {
          return List.of(all);
        }
        if (criterion.value().startsWith(rd)) {
          return registration(criterion, criterion.value().substring(rd.length()));
        }
      }
      return resolved(criterion, Catalogue.TARGETS);
    }

    /** Postings of entries whose own location or a link target matches. */
    private List<Posting> registration(Criterion criterion, String id) {
      if (criterion.prefix()) {
        return List.of(all);
      }
      List<Posting> found = new ArrayList<>(resolved(criterion, Catalogue.TARGETS));
      CatalogueEntry entry = indexes.entries().byId(id);
      if (entry != null) {
        found.add(new Posting(entry.ordinal(), null));
      }
      return found;
    }

    /** Postings of references whose resolved form matches. */
    private List<Posting> resolved(Criterion criterion, String references) {
      List<Posting> found = new ArrayList<>(plain(criterion, references));
      String value = criterion.value();
      if (value.startsWith(search.ownBase())) {
        found.addAll(served(value.substring(search.ownBase().length()), criterion.prefix()));
      }
      String origin = UriReferences.origin(value);
      boolean complete = !criterion.prefix() || origin.length() < value.length();
      if (!complete) {
        found.addAll(indexes.values().withPrefix(Catalogue.ORIGINS, value, budget));
        if (search.ownBase().startsWith(value)) {
          found.add(published);
        }
        return found;
      }
      Criterion path =
          new Criterion(references, value.substring(origin.length()), criterion.prefix());
      List<Posting> byPath = plain(path, references);
      Posting byOrigin = indexes.values().exact(Catalogue.ORIGINS, origin);
      if (byOrigin != null) {
        found.addAll(byOrigin.size() <= size(byPath) ? List.of(byOrigin) : byPath);
      }
      if (origin.equals(search.ownBase())) {
        found.addAll(published.size() <= size(byPath) ? List.of(published) : byPath);
      }
      return found;
    }

    /** Postings of published endpoints that may have a resource with this path. */
    private List<Posting> served(String path, boolean prefix) {
      String folder = indexes.location().resources() + "/";
      if (!path.startsWith(folder)) {
        return prefix && folder.startsWith(path) ? List.of(published) : List.of();
      }
      int end = path.indexOf('/', folder.length());
      if (end < 0) {
        return prefix ? List.of(published) : List.of();
      }
      CatalogueEntry entry = indexes.entries().byId(path.substring(folder.length(), end));
      return entry == null ? List.of() : List.of(new Posting(entry.ordinal(), null));
    }

    private List<Posting> base(Criterion criterion) {
      List<Posting> found = new ArrayList<>(plain(criterion, "base"));
      String origin = UriReferences.origin(criterion.value());
      boolean complete = !criterion.prefix() || origin.length() < criterion.value().length();
      if (complete) {
        Posting byOrigin = indexes.values().exact(Catalogue.ORIGINS, origin);
        if (byOrigin != null) {
          found.add(byOrigin);
        }
      } else {
        found.addAll(indexes.values().withPrefix(Catalogue.ORIGINS, criterion.value(), budget));
      }
      if (criterion.accepts(search.ownBase())) {
        found.add(published);
      }
      return found;
    }
  }
}
