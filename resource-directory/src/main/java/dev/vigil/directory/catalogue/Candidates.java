package dev.vigil.directory.catalogue;

import dev.vigil.directory.catalogue.AttributeIndex.Posting;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.link.References;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A superset of the entries that match all criteria, as small as the indexes tell: the union of the
 * postings of the most selective criterion, which the exact ones among the others thin out.
 */
final class Candidates {
  /** Walking more postings than this side by side costs more than uniting them first. */
  private static final int SIDE_BY_SIDE = 8;

  private final List<Posting> union;
  private final List<Posting> filters;

  private Candidates(List<Posting> union, List<Posting> filters) {
    this.union = union.size() <= SIDE_BY_SIDE ? union : List.of(unite(union));
    this.filters = filters;
  }

  /**
   * @param names every entry by {@code ep}, those in their grace too
   * @param values of all attributes of living entries
   */
  record Indexes(
      AttributeIndex names,
      AttributeIndex values,
      Ordinals living,
      Ordinals mirrored,
      Map<String, Entry> byId) {}

  static Candidates choose(Search search, Indexes indexes, Effort effort) {
    Posting mirrored = new Posting(Ordinals.NONE, indexes.mirrored());
    Posting all = search.isOfMirror() ? mirrored : new Posting(Ordinals.NONE, indexes.living());
    Finder finder = new Finder(search, indexes, all, mirrored, effort);
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
      int next = Ordinals.NONE;
      for (Posting posting : union) {
        next = Math.min(next, posting.nextFrom(at));
      }
      if (next == Ordinals.NONE || passes(next)) {
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
    Ordinals united = new Ordinals();
    for (Posting posting : postings) {
      for (int at = posting.nextFrom(0); at != Ordinals.NONE; at = posting.nextFrom(at + 1)) {
        united.add(at);
      }
    }
    return new Posting(Ordinals.NONE, united);
  }

  /** For each criterion the postings of which a matching entry is in at least one. */
  private record Finder(
      Search search, Indexes indexes, Posting all, Posting mirrored, Effort effort) {

    List<Posting> find(Criterion criterion) {
      return switch (criterion.attribute()) {
        case Criterion.HREF -> href(criterion);
        case Link.ANCHOR -> resolved(criterion, Catalogue.ANCHORS);
        case "base" -> base(criterion);
        case "ep" -> {
          List<Posting> found = new ArrayList<>(plain(criterion, "ep"));
          found.addAll(plain(indexes.names(), criterion, "ep"));
          yield found;
        }
        case "rt" ->
            !search.isOfMirror() && criterion.accepts(Criterion.ENDPOINT_TYPE)
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
        return index.beginning(name, criterion.value(), effort);
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

    /** The entries whose id is, or begins with, a text; or whose links have such a target. */
    private List<Posting> registration(Criterion criterion, String id) {
      if (criterion.prefix()) {
        return List.of(all);
      }
      List<Posting> found = new ArrayList<>(resolved(criterion, Catalogue.TARGETS));
      Entry entry = indexes.byId().get(id);
      if (entry != null) {
        found.add(new Posting(entry.ordinal(), null));
      }
      return found;
    }

    /** Postings of references that resolve to the value, or to what begins with it. */
    private List<Posting> resolved(Criterion criterion, String references) {
      List<Posting> found = new ArrayList<>(plain(criterion, references));
      String value = criterion.value();
      String origin = References.origin(value);
      boolean complete = !criterion.prefix() || origin.length() < value.length();
      if (!complete) {
        found.addAll(indexes.values().beginning(Catalogue.ORIGINS, value, effort));
        if (search.ownBase().startsWith(value)) {
          found.add(mirrored);
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
        found.addAll(mirrored.size() <= size(byPath) ? List.of(mirrored) : byPath);
      }
      return found;
    }

    private List<Posting> base(Criterion criterion) {
      List<Posting> found = new ArrayList<>(plain(criterion, "base"));
      String origin = References.origin(criterion.value());
      boolean complete = !criterion.prefix() || origin.length() < criterion.value().length();
      if (complete) {
        Posting byOrigin = indexes.values().exact(Catalogue.ORIGINS, origin);
        if (byOrigin != null) {
          found.add(byOrigin);
        }
      } else {
        found.addAll(indexes.values().beginning(Catalogue.ORIGINS, criterion.value(), effort));
      }
      if (criterion.accepts(search.ownBase())) {
        found.add(mirrored);
      }
      return found;
    }
  }
}
