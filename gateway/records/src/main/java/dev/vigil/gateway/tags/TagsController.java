package dev.vigil.gateway.tags;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.EntityTags;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.api.Page;
import dev.vigil.gateway.api.PageCursor;
import dev.vigil.gateway.api.UnknownIds;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.limits.SearchLimiter;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.Presence;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists the tags in use, and lets operators change the tags of an endpoint. */
@RestController
class TagsController {
  private static final int MAX_LIMIT = 1000;

  private final TaggedEndpoints tagged;
  private final MirrorQueries mirror;
  private final Access access;
  private final SearchLimiter limiter;

  TagsController(
      TaggedEndpoints tagged, MirrorQueries mirror, Access access, SearchLimiter limiter) {
    this.tagged = tagged;
    this.mirror = mirror;
    this.access = access;
    this.limiter = limiter;
  }

  /**
   * A tag in use.
   *
   * @param endpoints the number of endpoints with the tag that the caller may see
   */
  @Schema(name = "TagUse")
  record TagUseJson(String tag, int endpoints) {}

  /**
   * @param next the {@code after} of the next page; absent at the end
   */
  @Schema(name = "TagUses")
  record TagUsesJson(List<TagUseJson> tags, @Nullable String next) {}

  @Operation(
      operationId = "listTags",
      summary = "The tags in use, in alphabetical order, with the number of endpoints of each",
      description = "Counts only endpoints that the caller may see.")
  @GetMapping("/api/tags")
  TagUsesJson tags(
      HttpServletRequest request,
      @RequestParam @Nullable String after,
      @RequestParam(defaultValue = "1000") int limit) {
    Caller caller = HttpCallers.of(request);
    VisibleDomains visible = VisibleDomains.of(access, caller, mirror.domains().keySet(), null);
    int size = PageCursor.limit(limit, MAX_LIMIT);
    String from = after == null ? "" : PageCursor.read(after, 1).getFirst();
    NavigableMap<String, Integer> counts =
        limiter.search(caller, () -> tagged.counts(visible)).tailMap(from, false);
    Page<TagUseJson> page =
        Page.of(
            counts.entrySet().stream().map(use -> new TagUseJson(use.getKey(), use.getValue())),
            size,
            last -> PageCursor.of(last.tag()));
    return new TagUsesJson(page.items(), page.next());
  }

  /**
   * The tags of an endpoint.
   *
   * @param tags at most 32, each of at most 63 octets, without commas; in answers in alphabetical
   *     order
   */
  @Schema(name = "TagsOfEndpoint")
  record TagsJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable List<String> tags) {}

  @Operation(
      operationId = "getEndpointTags",
      summary = "The tags that operators gave an endpoint, with their ETag")
  @GetMapping("/api/endpoints/{id}/tags")
  ResponseEntity<TagsJson> tagsOf(HttpServletRequest request, @PathVariable String id) {
    return answer(require(HttpCallers.of(request), Action.LOOK_UP, id));
  }

  private ResponseEntity<TagsJson> answer(Presence endpoint) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(tagged.version(endpoint.id())))
        .body(new TagsJson(tagged.of(endpoint.id())));
  }

  @Operation(
      operationId = "setEndpointTags",
      summary = "Replaces the tags of an endpoint; none removes all",
      description =
          "Tags are forgotten with the endpoint. With If-Match they change only if nobody else has"
              + " changed them.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = TagsJson.class))))
  @PutMapping(path = "/api/endpoints/{id}/tags", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<TagsJson> put(
      HttpServletRequest request,
      @PathVariable String id,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch)
      throws IOException {
    Caller caller = HttpCallers.of(request);
    Presence endpoint = require(caller, Action.OPERATE, id);
    List<String> given =
        JsonBodies.required(JsonBodies.read(request, TagsJson.class).tags(), "tags");
    List<String> tags = TagGrammar.tags("tags", given);
    OptionalLong version =
        EntityTags.condition(tagged.version(endpoint.id()), ifMatch, ifNoneMatch);
    Outcome outcome = FutureResults.of(tagged.put(endpoint, tags, version, caller.label()));
    if (outcome instanceof Outcome.Conflict) {
      throw new ProblemException(
          ProblemType.CHANGED_MEANWHILE,
          "the tags have changed meanwhile, so nothing was written: read them again");
    }
    outcome.require("tag");
    return answer(endpoint);
  }

  private Presence require(Caller caller, Action action, String id) {
    Presence endpoint = mirror.presence(id).orElse(null);
    if (endpoint == null) {
      throw UnknownIds.answer(
          access, caller, action, mirror.domains().keySet(), "no proven endpoint has this id");
    }
    access.require(caller, action, endpoint.d());
    return endpoint;
  }
}
