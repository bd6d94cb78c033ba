package dev.vigil.directory.lookup;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Resource;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.link.Link;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.catalogue.GatewayBase;
import dev.vigil.directory.catalogue.LookupBudget;
import dev.vigil.directory.catalogue.LookupSearch;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.directory.publishing.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** {@code /rd-lookup/ep} and {@code /rd-lookup/res} (RFC 9176 section 6). */
public final class LookupResource implements Resource {
  /** The kind of link that a lookup returns. */
  public enum Kind {
    ENDPOINTS,
    RESOURCES
  }

  private final Kind kind;
  private final LookupContext context;
  private final PublishedLocation published;

  public LookupResource(Kind kind, LookupContext context, PublishedLocation published) {
    this.kind = kind;
    this.context = context;
    this.published = published;
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    if (request.method() != Method.GET) {
      throw new ErrorResponseException(Code.METHOD_NOT_ALLOWED, "lookups support only GET");
    }
    try (LookupConcurrencyLimit.Lookup budget = context.concurrency().begin(request.caller())) {
      return CompletableFuture.completedFuture(answer(request, budget));
    }
  }

  private Response answer(Request request, LookupBudget budget) {
    LookupResponses.Page page = LookupResponses.Page.of(request.query());
    List<Query.Parameter> criteria = LookupResponses.criteria(request.query());
    Predicate<CatalogueEntry> visible = LookupResponses.visible(request, context.access());
    String ownBase = published.baseFor(request.base());
    GatewayBase gateway = new GatewayBase(ownBase, request.base(), published.own());
    LookupLimits limits = context.limits();
    LookupSearch.Range range =
        new LookupSearch.Range(page.first(), page.limit(limits.results()), limits.octets(request));
    long now = context.clock().millis();
    List<Link> links =
        switch (kind) {
          case ENDPOINTS -> {
            var search = new LookupSearch.Endpoints(criteria, gateway, visible, range);
            context.catalogue().search(search, budget, now);
            limits.require(search, search.found().size());
            yield search.found().stream().map(entry -> endpointLink(entry, ownBase)).toList();
          }
          case RESOURCES -> {
            var search = new LookupSearch.Resources(criteria, gateway, visible, range);
            context.catalogue().search(search, budget, now);
            limits.require(search, search.found().size());
            yield search.found();
          }
        };
    Response response = LookupResponses.response(request, links);
    boolean paged = page.count() != LookupResponses.Page.ALL;
    return context.observed().topicOf(criteria, paged).map(response::observable).orElse(response);
  }

  /** The lifetime is not reported (RFC 9176 section 6.4). */
  private static Link endpointLink(CatalogueEntry entry, String ownBase) {
    CatalogueEntry.Content content = entry.content();
    List<Link.Attribute> attributes = new ArrayList<>();
    attributes.add(attribute("ep", entry.name().ep()));
    if (!entry.name().d().isEmpty()) {
      attributes.add(attribute("d", entry.name().d()));
    }
    String base =
        switch (content.origin()) {
          case Registration.Direct direct -> direct.base();
          case Registration.Published atLocation -> ownBase;
        };
    attributes.add(attribute("base", base));
    content.parameters().forEach(p -> attributes.add(attribute(p.name(), p.value())));
    attributes.add(attribute("rt", "core.rd-ep"));
    return new Link("/rd/" + entry.id(), attributes);
  }

  /** Quotes a value that is not a plain word, as the examples of RFC 9176 do. */
  private static Link.Attribute attribute(String name, String value) {
    return new Link.Attribute(name, value, !isPlainWord(value));
  }

  private static boolean isPlainWord(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (!(c < 128 && Character.isLetterOrDigit(c)) && "-._".indexOf(c) < 0) {
        return false;
      }
    }
    return !value.isEmpty();
  }
}
