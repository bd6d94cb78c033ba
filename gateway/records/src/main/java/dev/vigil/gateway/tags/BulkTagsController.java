package dev.vigil.gateway.tags;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.ItemOutcome;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.api.UnknownIds;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.limits.SearchLimiter;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.EndpointCursor;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.Presence;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lets operators add tags to many endpoints, and remove tags from them. */
@RestController
class BulkTagsController {
  /** The maximum number of endpoints that a filter may select. */
  private static final int MAX_SELECTED = 10_000;

  /** The number of changes that are submitted before the first outcome is awaited. */
  private static final int TOGETHER = 256;

  private final TaggedEndpoints tagged;
  private final EndpointSelection selection;
  private final MirrorQueries mirror;
  private final Access access;
  private final SearchLimiter limiter;

  BulkTagsController(
      TaggedEndpoints tagged,
      EndpointSelection selection,
      MirrorQueries mirror,
      Access access,
      SearchLimiter limiter) {
    this.tagged = tagged;
    this.selection = selection;
    this.mirror = mirror;
    this.access = access;
    this.limiter = limiter;
  }

  /**
   * A change of the tags of many endpoints, which either the filter or the ids select.
   *
   * @param filter selects endpoints that the caller may see, at most 10 000
   * @param ids of endpoints, at most 100
   * @param add tags that each endpoint has afterwards
   * @param remove tags that no endpoint has afterwards, unless they are also added
   */
  @Schema(name = "TagChange")
  record BodyJson(
      @Nullable EndpointFilter filter,
      @Nullable List<String> ids,
      @Nullable List<String> add,
      @Nullable List<String> remove) {}

  /**
   * @param selected the number of endpoints that the filter or the ids selected
   * @param changed the number of endpoints whose tags are now different
   * @param refused the endpoints that were not changed, each with the reason
   */
  @Schema(name = "TagChangeResult")
  record ResultJson(int selected, int changed, List<ItemOutcome> refused) {}

  @Operation(
      operationId = "changeEndpointTags",
      summary = "Adds tags to many endpoints and removes tags from them",
      description =
          "The body has either a filter, with the members that are parameters of /api/endpoints,"
              + " or ids. Each endpoint is decided with the rights of the caller; a refusal does"
              + " not affect the others.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = BodyJson.class))))
  @PostMapping(path = "/api/endpoints/tags", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResultJson change(HttpServletRequest request) throws IOException {
    Caller caller = HttpCallers.of(request);
    VisibleDomains.of(access, caller, Action.OPERATE, mirror.domains().keySet(), null);
    BodyJson body = JsonBodies.read(request, BodyJson.class);
    TagChange change =
        new TagChange(
            TagGrammar.tags("add", body.add()),
            TagGrammar.tags("remove", body.remove()),
            caller.label());
    if (change.add().isEmpty() && change.remove().isEmpty()) {
      throw new ProblemException(ProblemType.INVALID_BODY, "add: or remove is needed");
    }
    List<String> ids = selected(caller, body);
    AtomicInteger changed = new AtomicInteger();
    List<ItemOutcome> refused = new ArrayList<>();
    for (int at = 0; at < ids.size(); at += TOGETHER) {
      List<String> part = ids.subList(at, Math.min(ids.size(), at + TOGETHER));
      List<CompletableFuture<Boolean>> submitted =
          part.stream().map(id -> submit(caller, id, change)).toList();
      for (int i = 0; i < part.size(); i++) {
        CompletableFuture<Boolean> one = submitted.get(i);
        ItemOutcome outcome =
            ItemOutcome.of(
                part.get(i), null, () -> changed.addAndGet(FutureResults.of(one) ? 1 : 0));
        if (outcome.type() != null) {
          refused.add(outcome);
        }
      }
    }
    return new ResultJson(ids.size(), changed.get(), refused);
  }

  private List<String> selected(Caller caller, BodyJson body) {
    EndpointFilter filter = body.filter();
    if ((filter == null) == (body.ids() == null)) {
      throw new ProblemException(ProblemType.INVALID_BODY, "filter: or ids is needed, not both");
    }
    if (filter == null) {
      return JsonBodies.items(body.ids(), "ids").stream().distinct().toList();
    }
    List<String> tags = TagGrammar.tags("filter.tags", filter.tags());
    Predicate<EndpointCursor> wanted = selection.of(filter.withTags(tags));
    VisibleDomains visible = VisibleDomains.of(access, caller, mirror.domains().keySet(), null);
    Predicate<EndpointCursor> selected =
        endpoint -> visible.test(endpoint.d()) && wanted.test(endpoint);
    List<EndpointView> found =
        limiter.search(caller, () -> mirror.endpoints(selected, null, MAX_SELECTED + 1));
    if (found.size() > MAX_SELECTED) {
      throw new ProblemException(
          ProblemType.LIMIT_REACHED,
          "filter: selects more than " + MAX_SELECTED + " endpoints; nothing was changed");
    }
    return found.stream().map(EndpointView::id).toList();
  }

  private CompletableFuture<Boolean> submit(Caller caller, String id, TagChange change) {
    try {
      Presence endpoint = mirror.presence(id).orElse(null);
      if (endpoint == null) {
        throw UnknownIds.answer(
            access,
            caller,
            Action.OPERATE,
            mirror.domains().keySet(),
            "no proven endpoint has this id");
      }
      access.require(caller, Action.OPERATE, endpoint.d());
      return change.apply(tagged, endpoint);
    } catch (ErrorResponseException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }
}
