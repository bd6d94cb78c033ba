package dev.vigil.directory.catalogue;

import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.registration.Registration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One state of an entry that changed, seen from the lookups that may show it. Not safe for use by
 * several threads.
 */
public final class Touched {
  private static final Set<String> RESOLVED = Set.of(Criterion.HREF, Link.ANCHOR, "base");

  private final Entry entry;
  private final Entry.Content content;
  private @Nullable List<Link> links;

  public Touched(Entry entry, Entry.Content content) {
    this.entry = entry;
    this.content = content;
  }

  /**
   * Whether whatever matches a criterion has it among its {@link #values()}; not so where it is a
   * prefix, or where values are resolved or implied.
   */
  public static boolean isFoundByValue(Query.Parameter parameter) {
    Criterion criterion = Criterion.of(parameter);
    return !criterion.prefix()
        && !RESOLVED.contains(criterion.attribute())
        && !criterion.value().equals(Criterion.ENDPOINT_TYPE);
  }

  /** All its names and attributes, and those of its links, one by one. */
  public Set<Query.Parameter> values() {
    Set<Query.Parameter> values = new HashSet<>();
    add(values, "ep", entry.name().ep());
    add(values, "d", entry.name().d());
    content.parameters().forEach(p -> add(values, p.name(), p.value()));
    for (Link link : links()) {
      link.attributes().forEach(a -> add(values, a.name(), a.text()));
    }
    return values;
  }

  private static void add(Set<Query.Parameter> values, String name, String value) {
    values.add(new Query.Parameter(name, value));
    if (Criterion.hasSeveralValues(name)) {
      for (String one : value.split(" ")) {
        values.add(new Query.Parameter(name, one));
      }
    }
  }

  /**
   * Whether a lookup, of endpoints or of resources, can show it; certainly so if it does. What
   * depends on how a client reached us counts as matching.
   */
  public boolean couldMatch(List<Query.Parameter> criteria) {
    for (Query.Parameter parameter : criteria) {
      if (!couldMatch(Criterion.of(parameter))) {
        return false;
      }
    }
    return true;
  }

  private boolean couldMatch(Criterion criterion) {
    boolean dependsOnClient =
        criterion.attribute().equals(Criterion.HREF)
            && (criterion.prefix() || criterion.value().endsWith("/rd/" + entry.id()));
    String base =
        switch (content.origin()) {
          case Registration.Direct direct -> direct.base();
          case Registration.Mirrored mirrored -> {
            dependsOnClient |= RESOLVED.contains(criterion.attribute());
            yield "";
          }
        };
    return dependsOnClient
        || criterion.matchesEndpoint(entry, content, base)
        || links().stream().anyMatch(link -> criterion.matchesLink(link, base));
  }

  private List<Link> links() {
    List<Link> parsed = links;
    if (parsed == null) {
      parsed = content.parseLinks();
      links = parsed;
    }
    return parsed;
  }
}
