package dev.vigil.directory.lookup;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Resource;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.catalogue.LookupBudget;
import dev.vigil.directory.catalogue.LookupSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * {@code /.well-known/core} with query filtering (RFC 6690 section 4, RFC 9176 section 4.3): the
 * links of the directory itself, of contributors, and of all published endpoints. Only the links of
 * published endpoints need the right to look up.
 */
public final class WellKnownCore implements Resource {
  private static final List<Link> OWN =
      LinkFormat.parse(
          "</rd>;rt=\"core.rd\";ct=40,"
              + "</rd-lookup/ep>;rt=\"core.rd-lookup-ep\";ct=\"40 50\";obs,"
              + "</rd-lookup/res>;rt=\"core.rd-lookup-res\";ct=\"40 50\";obs",
          LinkFormat.Limits.NONE);

  private final LookupContext context;
  private final List<Supplier<List<Link>>> contributors;
  private final Resource simpleRegistration;
  private final OwnAuthorities own;

  /**
   * @param simpleRegistration answers POST: simple registration in the form before it had a
   *     separate path (RFC 9176 section 5.1), which RIOT nodes still send
   * @param own the authorities of this gateway
   */
  public WellKnownCore(
      LookupContext context,
      List<Supplier<List<Link>>> contributors,
      Resource simpleRegistration,
      OwnAuthorities own) {
    this.simpleRegistration = simpleRegistration;
    this.own = own;
    this.context = context;
    this.contributors = List.copyOf(contributors);
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    if (request.method() == Method.POST) {
      return simpleRegistration.answer(request);
    }
    if (request.method() != Method.GET) {
      throw new ErrorResponseException(Code.METHOD_NOT_ALLOWED, "only GET and POST are supported");
    }
    try (LookupConcurrencyLimit.Lookup budget = context.concurrency().begin(request.caller())) {
      return CompletableFuture.completedFuture(answer(request, budget));
    }
  }

  private Response answer(Request request, LookupBudget budget) {
    List<Query.Parameter> criteria = request.query().parameters();
    LookupLimits limits = context.limits();
    List<Link> links = new ArrayList<>();
    addMatching(links, OWN, criteria);
    contributors.forEach(contributor -> addMatching(links, contributor.get(), criteria));
    visibleEntries(request)
        .ifPresent(
            visible -> {
              var range = new LookupSearch.Range(0, limits.results() + 1L, limits.octets(request));
              var search =
                  LookupSearch.Resources.ofPublished(criteria, request.base(), own, visible, range);
              context.catalogue().search(search, budget, context.clock().millis());
              limits.require(search, links.size() + search.found().size());
              links.addAll(search.found());
            });
    Response response = LookupResponses.response(request, links);
    return context
        .observed()
        .topicOfWellKnownCore(!criteria.isEmpty())
        .map(response::observable)
        .orElse(response);
  }

  private static void addMatching(
      List<Link> links, List<Link> offered, List<Query.Parameter> criteria) {
    offered.stream().filter(link -> LookupSearch.matches(link, criteria)).forEach(links::add);
  }

  private Optional<Predicate<CatalogueEntry>> visibleEntries(Request request) {
    return switch (context.access().decide(request.caller(), Access.Action.LOOK_UP, "")) {
      case Access.Allowed() -> Optional.of(LookupResponses.visible(request, context.access()));
      case Access.Refused(Code code, String reason) -> Optional.empty();
    };
  }
}
