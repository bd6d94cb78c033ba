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
import dev.vigil.directory.link.LinkFormat;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * {@code /.well-known/core} with query filtering (RFC 6690 section 4, RFC 9176 section 4.3): the
 * directory's own links, what contributors add, and every resource that the mirror serves. Open to
 * all but for the mirror's part, which follows the lookup policy.
 */
final class WellKnownCore implements Resource {
  private static final List<Link> OWN =
      LinkFormat.parse(
          "</rd>;rt=\"core.rd\";ct=40,"
              + "</rd-lookup/ep>;rt=\"core.rd-lookup-ep\";ct=\"40 50\";obs,"
              + "</rd-lookup/res>;rt=\"core.rd-lookup-res\";ct=\"40 50\";obs",
          LinkFormat.Limits.NONE);

  private final Catalogue catalogue;
  private final Access access;
  private final int maxResults;
  private final LargeLookups large;
  private final ObservedLookups observed;
  private final Clock clock;
  private final List<Supplier<List<Link>>> contributors;
  private final Resource simpleRegistration;

  /**
   * @param simpleRegistration takes a POST: what it was before it had a path of its own (RFC 9176
   *     section 5.1), and what RIOT's nodes still send
   */
  WellKnownCore(
      Catalogue catalogue,
      Access access,
      int maxResults,
      LargeLookups large,
      ObservedLookups observed,
      Clock clock,
      List<Supplier<List<Link>>> contributors,
      Resource simpleRegistration) {
    this.simpleRegistration = simpleRegistration;
    this.catalogue = catalogue;
    this.access = access;
    this.maxResults = maxResults;
    this.large = large;
    this.observed = observed;
    this.clock = clock;
    this.contributors = List.copyOf(contributors);
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    if (request.method() == Method.POST) {
      return simpleRegistration.answer(request);
    }
    if (request.method() != Method.GET) {
      throw new ExchangeException(Code.METHOD_NOT_ALLOWED, "only GET and POST");
    }
    try (LargeLookups.Lookup effort = large.by(request.caller())) {
      return CompletableFuture.completedFuture(answer(request, effort));
    }
  }

  private Response answer(Request request, Effort effort) {
    List<Query.Parameter> criteria = request.query().parameters();
    List<Link> links = new ArrayList<>();
    addMatching(links, OWN, criteria);
    contributors.forEach(contributor -> addMatching(links, contributor.get(), criteria));
    mayLookUp(request)
        .ifPresent(
            visible -> {
              var search = Search.Resources.ofMirror(criteria, visible, maxResults + 1L);
              catalogue.search(search, effort, clock.millis());
              links.addAll(search.found());
            });
    Lookups.requireAtMost(maxResults, links.size());
    Response response = Lookups.response(request, links);
    return observed.ofMirror(!criteria.isEmpty()).map(response::observable).orElse(response);
  }

  private static void addMatching(
      List<Link> links, List<Link> offered, List<Query.Parameter> criteria) {
    offered.stream().filter(link -> Search.matches(link, criteria)).forEach(links::add);
  }

  private Optional<Predicate<Entry>> mayLookUp(Request request) {
    return switch (access.decide(request.caller(), Access.Action.LOOK_UP, "")) {
      case Access.Allowed() -> Optional.of(Lookups.visible(request, access));
      case Access.Refused(Code code, String reason) -> Optional.empty();
    };
  }
}
