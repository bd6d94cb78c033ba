package dev.vigil.directory;

import dev.vigil.directory.catalogue.Catalogue;
import dev.vigil.directory.catalogue.Effort;
import dev.vigil.directory.catalogue.Entry;
import dev.vigil.directory.catalogue.Search;
import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Resource;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.registration.Registration;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** {@code /rd-lookup/ep} and {@code /rd-lookup/res} (RFC 9176 section 6). */
final class LookupResource implements Resource {
  enum Kind {
    ENDPOINTS,
    RESOURCES
  }

  private final Kind kind;
  private final Catalogue catalogue;
  private final Access access;
  private final DirectoryConfig config;
  private final LargeLookups large;
  private final ObservedLookups observed;
  private final Clock clock;

  LookupResource(
      Kind kind,
      Catalogue catalogue,
      Access access,
      DirectoryConfig config,
      LargeLookups large,
      ObservedLookups observed,
      Clock clock) {
    this.kind = kind;
    this.catalogue = catalogue;
    this.access = access;
    this.config = config;
    this.large = large;
    this.observed = observed;
    this.clock = clock;
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    if (request.method() != Method.GET) {
      throw new ExchangeException(Code.METHOD_NOT_ALLOWED, "lookups are only read");
    }
    try (LargeLookups.Lookup effort = large.by(request.caller())) {
      return CompletableFuture.completedFuture(answer(request, effort));
    }
  }

  private Response answer(Request request, Effort effort) {
    Lookups.Page page = Lookups.Page.of(request.query());
    List<Query.Parameter> criteria = Lookups.criteria(request.query());
    Predicate<Entry> visible = Lookups.visible(request, access);
    String ownBase = config.mirrorBase().isEmpty() ? request.base() : config.mirrorBase();
    long limit = page.limit(config.maxResults());
    List<Link> links =
        switch (kind) {
          case ENDPOINTS -> {
            var search = new Search.Endpoints(criteria, ownBase, visible, page.first(), limit);
            catalogue.search(search, effort, clock.millis());
            yield search.found().stream().map(entry -> link(entry, ownBase)).toList();
          }
          case RESOURCES -> {
            var search = new Search.Resources(criteria, ownBase, visible, page.first(), limit);
            catalogue.search(search, effort, clock.millis());
            yield search.found();
          }
        };
    Lookups.requireAtMost(config.maxResults(), links.size());
    Response response = Lookups.response(request, links);
    boolean part = page.count() != Lookups.Page.ALL;
    return observed.of(criteria, part).map(response::observable).orElse(response);
  }

  /** The lifetime is not reported (RFC 9176 section 6.4). */
  private static Link link(Entry entry, String ownBase) {
    Entry.Content content = entry.content();
    List<Link.Attribute> attributes = new ArrayList<>();
    attributes.add(attribute("ep", entry.name().ep()));
    if (!entry.name().d().isEmpty()) {
      attributes.add(attribute("d", entry.name().d()));
    }
    String base =
        switch (content.origin()) {
          case Registration.Direct direct -> direct.base();
          case Registration.Mirrored mirrored -> ownBase;
        };
    attributes.add(attribute("base", base));
    content.parameters().forEach(p -> attributes.add(attribute(p.name(), p.value())));
    attributes.add(attribute("rt", "core.rd-ep"));
    return new Link("/rd/" + entry.id(), attributes);
  }

  /** Quoted as the RFC's examples are: whatever is not a plain word. */
  private static Link.Attribute attribute(String name, String value) {
    boolean plain =
        !value.isEmpty()
            && value
                .chars()
                .allMatch(c -> c < 128 && Character.isLetterOrDigit(c) || "-._".indexOf(c) >= 0);
    return new Link.Attribute(name, value, !plain);
  }
}
