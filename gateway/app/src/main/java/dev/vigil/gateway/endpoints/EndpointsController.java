package dev.vigil.gateway.endpoints;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.api.Page;
import dev.vigil.gateway.api.PageCursor;
import dev.vigil.gateway.api.UnknownIds;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.bridge.MeshAddresses;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.limits.SearchLimiter;
import dev.vigil.gateway.tags.EndpointFilter;
import dev.vigil.gateway.tags.EndpointSelection;
import dev.vigil.gateway.tags.TagGrammar;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.EndpointCursor;
import dev.vigil.mirror.read.EndpointView;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists endpoints. Each caller sees the endpoints of the domains that it may look up. */
@RestController
class EndpointsController {
  private static final int MAX_LIMIT = 1000;
  private static final int CURSOR_PARTS = 3;

  private final MirrorQueries mirror;
  private final Access access;
  private final EndpointNotes notes;
  private final EndpointSelection selection;
  private final MeshAddresses mesh;
  private final SearchLimiter limiter;

  EndpointsController(
      MirrorQueries mirror,
      Access access,
      EndpointNotes notes,
      EndpointSelection selection,
      MeshAddresses mesh,
      SearchLimiter limiter) {
    this.mirror = mirror;
    this.access = access;
    this.notes = notes;
    this.selection = selection;
    this.mesh = mesh;
    this.limiter = limiter;
  }

  /**
   * @param next the {@code after} of the next page; absent at the end
   */
  record EndpointsJson(List<EndpointJson> endpoints, @Nullable String next) {}

  @Operation(
      operationId = "listEndpoints",
      summary = "Endpoints, optionally by name or domain, in the order of domains and names",
      description =
          "text is searched for in names, and in the names and locations that operators gave.")
  @GetMapping("/api/endpoints")
  EndpointsJson endpoints(
      HttpServletRequest request,
      @RequestParam @Nullable String ep,
      @RequestParam @Nullable String d,
      @RequestParam @Nullable String text,
      @Parameter(
              description = "only endpoints with this freshness",
              schema = @Schema(allowableValues = {"on-time", "late", "missing", "not-trusted"}))
          @RequestParam
          @Nullable String freshness,
      @Parameter(
              description = "only endpoints whose key is in this state",
              schema =
                  @Schema(
                      allowableValues = {"unproven", "pending", "trusted", "replaced", "revoked"}))
          @RequestParam
          @Nullable String trust,
      @Parameter(description = "only endpoints with this tag; may be repeated") @RequestParam
          @Nullable List<String> tag,
      @RequestParam @Nullable String after,
      @RequestParam(defaultValue = "1000") int limit) {
    String domain = d == null ? null : DomainNames.named(d);
    Caller caller = HttpCallers.of(request);
    VisibleDomains visible = VisibleDomains.of(access, caller, mirror.domains().keySet(), domain);
    // Spring would split a tag with a comma, and ignore an empty one.
    List<String> tags = TagGrammar.parameters("tag", request.getParameterValues("tag"));
    Predicate<EndpointCursor> wanted =
        selection.of(new EndpointFilter(ep, d, text, freshness, trust, tags));
    int size = PageCursor.limit(limit, MAX_LIMIT);
    Predicate<EndpointCursor> selected =
        endpoint -> visible.test(endpoint.d()) && wanted.test(endpoint);
    EndpointCursor from = after == null ? null : cursor(after);
    List<EndpointView> found =
        limiter.search(caller, () -> mirror.endpoints(selected, from, size + 1));
    Page<EndpointView> page = Page.of(found.stream(), size, EndpointsController::cursor);
    return new EndpointsJson(
        page.items().stream().map(view -> EndpointJson.of(view, mirror, notes, mesh)).toList(),
        page.next());
  }

  private static EndpointCursor cursor(String after) {
    List<String> parts = PageCursor.read(after, CURSOR_PARTS);
    return new EndpointCursor(parts.get(0), parts.get(1), parts.get(2));
  }

  private static String cursor(EndpointView view) {
    return PageCursor.of(view.d(), view.ep(), view.id());
  }

  @Operation(operationId = "getEndpoint", summary = "One endpoint, by the id of /ms/{id}")
  @GetMapping("/api/endpoints/{id}")
  EndpointJson endpoint(HttpServletRequest request, @PathVariable String id) {
    Caller caller = HttpCallers.of(request);
    EndpointView view = mirror.endpoint(id).orElse(null);
    if (view == null) {
      throw UnknownIds.answer(
          access, caller, Action.LOOK_UP, mirror.domains().keySet(), "no endpoint has this id");
    }
    access.require(caller, Action.LOOK_UP, view.d());
    return EndpointJson.of(view, mirror, notes, mesh);
  }
}
