package dev.vigil.gateway.keys;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.ItemOutcome;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.api.Page;
import dev.vigil.gateway.api.PageCursor;
import dev.vigil.gateway.api.QueryValues;
import dev.vigil.gateway.api.RequestBodies;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.keylists.KeyListException;
import dev.vigil.gateway.keylists.KeyLists;
import dev.vigil.gateway.limits.SearchLimiter;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.MirrorOperations;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.read.KeyCursor;
import dev.vigil.mirror.read.KeyView;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shows keys to callers who may look up their domains, and carries out decisions of operators. */
@RestController
class KeysController {
  private static final int MAX_LIMIT = 1000;
  private static final int CURSOR_PARTS = 4;

  /** The maximum octets of an import. Ten thousand keys with their names take less than half. */
  private static final int MAX_IMPORT = 4 << 20;

  private final MirrorQueries mirror;
  private final MirrorOperations operations;
  private final KeyDecisions decisions;
  private final Access access;
  private final SearchLimiter limiter;

  KeysController(
      MirrorQueries mirror,
      MirrorOperations operations,
      KeyDecisions decisions,
      Access access,
      SearchLimiter limiter) {
    this.mirror = mirror;
    this.operations = operations;
    this.decisions = decisions;
    this.access = access;
    this.limiter = limiter;
  }

  /**
   * @param next the {@code after} of the next page; absent at the end
   */
  record KeysJson(List<KeyJson> keys, @Nullable String next) {}

  /**
   * @param listed number of keys in the import
   */
  record ImportedJson(String d, int listed) {}

  @Operation(
      operationId = "listKeys",
      summary = "Keys, in the order of domains and names",
      description = "A key is shown under each endpoint name that it has, had or requests.")
  @GetMapping("/api/keys")
  KeysJson keys(
      HttpServletRequest request,
      @RequestParam @Nullable String ep,
      @RequestParam @Nullable String d,
      @Parameter(
              description = "only keys in this state",
              schema =
                  @Schema(
                      allowableValues = {
                        "listed",
                        "unproven",
                        "pending",
                        "held",
                        "trusted",
                        "replaced",
                        "revoked"
                      }))
          @RequestParam
          @Nullable String state,
      @RequestParam @Nullable String after,
      @RequestParam(defaultValue = "100") int limit) {
    String domain = d == null ? null : DomainNames.named(d);
    Caller caller = HttpCallers.of(request);
    VisibleDomains visible = VisibleDomains.of(access, caller, mirror.domains().keySet(), domain);
    QueryValues.oneOf("state", state, KeyJson.STATES);
    Predicate<KeyView> wanted =
        key ->
            (ep == null || ep.equals(key.ep()))
                && (domain == null || domain.equals(key.d()))
                && (state == null || state.equals(KeyJson.state(key)))
                && visible.test(key.d());
    int size = PageCursor.limit(limit, MAX_LIMIT);
    KeyCursor from = after == null ? null : cursor(after);
    List<KeyView> found = limiter.search(caller, () -> mirror.keys(wanted, from, size + 1));
    Page<KeyView> page = Page.of(found.stream(), size, last -> cursor(KeyCursor.of(last)));
    return new KeysJson(page.items().stream().map(KeyJson::of).toList(), page.next());
  }

  private static KeyCursor cursor(String after) {
    List<String> parts = PageCursor.read(after, CURSOR_PARTS);
    return new KeyCursor(parts.get(0), parts.get(1), parts.get(2), parts.get(3));
  }

  private static String cursor(KeyCursor last) {
    return PageCursor.of(last.d(), last.ep(), last.id(), last.jkt());
  }

  @Operation(
      operationId = "getKey",
      summary = "One key, under each endpoint name that it has, had or requests")
  @GetMapping("/api/keys/{thumbprint}")
  KeysJson key(HttpServletRequest request, @PathVariable String thumbprint) {
    VisibleDomains visible =
        VisibleDomains.of(access, HttpCallers.of(request), mirror.domains().keySet(), null);
    List<KeyJson> found =
        decisions.find(thumbprint, key -> visible.test(key.d())).stream().map(KeyJson::of).toList();
    if (found.isEmpty()) {
      throw new ProblemException(ProblemType.NOT_FOUND, "no key has this thumbprint");
    }
    return new KeysJson(found, null);
  }

  @Operation(
      operationId = "approveKey",
      summary = "Trusts a key by its thumbprint, whether it waits or not",
      description =
          "A pending key becomes trusted. A held key, also that of a rotation, replaces the"
              + " present key. A key that does not wait is trusted at its next registration."
              + " With endpoint it is trusted for that endpoint's name, where it replaces the"
              + " present key once. Otherwise it is trusted in the domain d, or in all domains,"
              + " under a name without a trusted key. endpoint is required if the key waits"
              + " under several names. d=- is the domain without a name.")
  @PostMapping("/api/keys/{thumbprint}/approve")
  KeysJson approve(
      HttpServletRequest request,
      @PathVariable String thumbprint,
      @Parameter(description = "id of the endpoint for whose name the key waits") @RequestParam
          @Nullable String endpoint,
      @RequestParam @Nullable String d) {
    decisions.approve(operator(request), thumbprint, endpoint, d);
    return key(request, thumbprint);
  }

  @Operation(
      operationId = "refuseKey",
      summary = "Refuses a waiting key, or withdraws its approval for the next registration",
      description =
          "The name keeps its present key. endpoint is required only if the key waits under"
              + " several names.")
  @PostMapping("/api/keys/{thumbprint}/refuse")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void refuse(
      HttpServletRequest request,
      @PathVariable String thumbprint,
      @Parameter(description = "id of the endpoint for whose name the key waits") @RequestParam
          @Nullable String endpoint) {
    decisions.refuse(operator(request), thumbprint, endpoint);
  }

  /**
   * @param endpoint id of the endpoint for whose name the key waits
   * @param decision approve or refuse
   */
  @Schema(name = "KeyDecision")
  record DecisionJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String thumbprint,
      @Nullable String endpoint,
      @Schema(
              allowableValues = {"approve", "refuse"},
              requiredMode = Schema.RequiredMode.REQUIRED)
          @Nullable String decision) {}

  /**
   * @param decisions at most 100
   */
  @Schema(name = "KeyDecisions")
  record DecisionsJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED)
          @Nullable List<DecisionJson> decisions) {}

  @Operation(
      operationId = "decideKeys",
      summary = "Approves or refuses many waiting keys; one outcome for each",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = DecisionsJson.class))))
  @PostMapping(path = "/api/keys/decisions", consumes = MediaType.APPLICATION_JSON_VALUE)
  ItemOutcome.OutcomesJson decide(HttpServletRequest request) throws IOException {
    Caller caller = operator(request);
    List<DecisionJson> all =
        JsonBodies.items(JsonBodies.read(request, DecisionsJson.class).decisions(), "decisions");
    return new ItemOutcome.OutcomesJson(
        all.stream()
            .map(one -> ItemOutcome.of(one.endpoint(), one.thumbprint(), () -> decide(caller, one)))
            .toList());
  }

  private void decide(Caller caller, DecisionJson one) {
    String thumbprint = JsonBodies.required(one.thumbprint(), "thumbprint");
    switch (JsonBodies.required(one.decision(), "decision")) {
      case "approve" -> decisions.approve(caller, thumbprint, one.endpoint(), null);
      case "refuse" -> decisions.refuse(caller, thumbprint, one.endpoint());
      default ->
          throw new ProblemException(ProblemType.INVALID_BODY, "decision: takes approve or refuse");
    }
  }

  @Operation(
      operationId = "revokeKey",
      summary = "Revokes a key permanently, under every name and domain, even if it is unknown",
      description =
          "Its updates are refused from now on, and values that it signed are no longer served.")
  @PostMapping("/api/keys/{thumbprint}/revoke")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void revoke(HttpServletRequest request, @PathVariable String thumbprint) {
    Caller caller = operator(request);
    access.require(caller, Action.OPERATE, Access.EVERY_DOMAIN);
    FutureResults.done(operations.revoke(thumbprint, caller.label()));
  }

  @Operation(
      operationId = "importKeys",
      summary = "Imports keys into the list of a domain whose trust is listed, all of them or none",
      description =
          "The body is a JWK set (RFC 7517, application/jwk-set+json; a member \"ep\" binds a key"
              + " to a name) or CSV (text/csv) whose first line names the columns: jkt, or x and y"
              + " (crv for other curves than P-256; Ed25519 has no y); ep binds the key to a name;"
              + " d must be the domain. At most 10 000 keys and 4 MiB. d=- is the domain without a"
              + " name.")
  @PostMapping(
      path = "/api/keys",
      consumes = {"application/jwk-set+json", MediaType.APPLICATION_JSON_VALUE, "text/csv"})
  @ResponseStatus(HttpStatus.CREATED)
  ImportedJson importKeys(HttpServletRequest request, @RequestParam String d) throws IOException {
    Caller caller = operator(request);
    Domain domain = mirror.domains().get(DomainNames.named(d));
    if (domain == null) {
      throw new ProblemException(ProblemType.NOT_FOUND, "there is no such domain");
    }
    access.require(caller, Action.OPERATE, domain.name());
    if (domain.trust() != TrustPolicy.LISTED) {
      throw new ProblemException(
          ProblemType.CONFLICT,
          "the trust policy of the domain is not listed; set its trust to listed first");
    }
    byte[] body = RequestBodies.read(request, MAX_IMPORT);
    boolean csv = MediaType.parseMediaType(request.getContentType()).getType().equals("text");
    List<ListedKey> keys;
    try {
      keys = csv ? KeyLists.csv(body, domain.name()) : KeyLists.jwkSet(body);
    } catch (KeyListException e) {
      throw new ProblemException(
          ProblemType.INVALID_BODY, e.getMessage() + "; nothing was imported");
    }
    FutureResults.done(operations.listKeys(domain.name(), keys, caller.label()));
    return new ImportedJson(d, keys.size());
  }

  @Operation(
      operationId = "unlistKey",
      summary = "Removes a key from the list of a domain",
      description = "Endpoints that it has registered stay; to end them too, revoke the key.")
  @DeleteMapping("/api/keys/{thumbprint}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void unlist(HttpServletRequest request, @PathVariable String thumbprint, @RequestParam String d) {
    Caller caller = operator(request);
    access.require(caller, Action.OPERATE, DomainNames.named(d));
    FutureResults.done(operations.unlistKey(DomainNames.named(d), thumbprint, caller.label()));
  }

  /**
   * Called before any lookup, so that the answer reveals nothing about the keys to other callers.
   */
  private Caller operator(HttpServletRequest request) {
    Caller caller = HttpCallers.of(request);
    decisions.requireOperator(caller);
    return caller;
  }
}
