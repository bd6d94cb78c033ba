package dev.vigil.directory.catalogue;

import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.link.Link;
import dev.vigil.directory.publishing.Registration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One state of a changed entry, matched against the criteria of observed lookups. Not safe for use
 * by several threads.
 */
public final class ChangedEntry {
  private static final Set<String> RESOLVED = Set.of(Criterion.HREF, Link.ANCHOR, "base");

  private final CatalogueEntry entry;
  private final CatalogueEntry.Content content;
  private @Nullable List<Link> links;

  public ChangedEntry(CatalogueEntry entry, CatalogueEntry.Content content) {
    this.entry = entry;
    this.content = content;
  }

  /**
   * Whether every entry that matches the criterion has the criterion among its {@link #values()}.
   * False for prefixes, and for attributes whose values are resolved or implied.
   */
  public static boolean isFoundByValue(Query.Parameter parameter) {
    Criterion criterion = Criterion.of(parameter);
    return !criterion.prefix()
        && !RESOLVED.contains(criterion.attribute())
        && !criterion.value().equals(Criterion.ENDPOINT_TYPE);
  }

  /** The names and attributes of the entry and of its links, one by one. */
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
   * Whether a lookup of endpoints or resources may show this state; never false if the lookup does.
   * A criterion that depends on how a client reached the directory counts as matching.
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
          case Registration.Published published -> {
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
      parsed = content.parseLinks(entry.id());
      links = parsed;
    }
    return parsed;
  }
}
