package dev.vigil.gateway.keys;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Access.Action;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.gateway.access.Visible;
import dev.vigil.gateway.config.DomainProperties;
import dev.vigil.gateway.http.Answers;
import dev.vigil.gateway.http.Bodies;
import dev.vigil.gateway.http.Cursor;
import dev.vigil.gateway.http.HttpCallers;
import dev.vigil.mirror.Domain;
import dev.vigil.mirror.KeyPlace;
import dev.vigil.mirror.KeyView;
import dev.vigil.mirror.ListedKey;
import dev.vigil.mirror.MirrorProxy;
import dev.vigil.mirror.TrustPolicy;
import dev.vigil.mirror.TrustState;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
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

/** Shows keys to whoever may look up in their domains, and takes decisions of operators. */
@RestController
class KeysController {
  private static final int MOST = 1000;
  private static final int CURSOR_PARTS = 4;

  /** An import of ten thousand keys with their names takes less than half of it. */
  private static final int MAX_IMPORT = 4 << 20;

  private final MirrorProxy mirror;
  private final Access access;

  KeysController(MirrorProxy mirror, Access access) {
    this.mirror = mirror;
    this.access = access;
  }

  /**
   * @param next what to give as {@code after} for the rest; absent at the end
   */
  record KeysJson(List<KeyJson> keys, @Nullable String next) {}

  /**
   * @param listed how many keys the domain now lists anew
   */
  record ImportedJson(String d, int listed) {}

  @Operation(
      summary = "Keys, in the order of domains and names",
      description =
          "state is one of listed, unproven, pending, held, trusted, replaced, revoked."
              + " limit is 1 to 1000.")
  @GetMapping("/api/keys")
  KeysJson keys(
      HttpServletRequest request,
      @RequestParam @Nullable String ep,
      @RequestParam @Nullable String d,
      @RequestParam @Nullable String state,
      @RequestParam @Nullable String after,
      @RequestParam(defaultValue = "100") int limit) {
    String named = d == null ? null : DomainProperties.named(d);
    Visible visible = Visible.of(access, HttpCallers.of(request), mirror.domains().keySet(), named);
    Predicate<KeyView> wanted =
        key ->
            (ep == null || ep.equals(key.ep()))
                && (named == null || named.equals(key.d()))
                && (state == null || state.equals(KeyJson.state(key)))
                && visible.test(key.d());
    int most = Cursor.limit(limit, MOST);
    List<KeyView> found = mirror.keys(wanted, after == null ? null : place(after), most + 1);
    List<KeyView> page = found.subList(0, Math.min(most, found.size()));
    return new KeysJson(
        page.stream().map(KeyJson::of).toList(),
        found.size() > most ? cursor(KeyPlace.of(page.getLast())) : null);
  }

  private static KeyPlace place(String cursor) {
    List<String> parts = Cursor.read(cursor, CURSOR_PARTS);
    return new KeyPlace(parts.get(0), parts.get(1), parts.get(2), parts.get(3));
  }

  private static String cursor(KeyPlace place) {
    return Cursor.of(place.d(), place.ep(), place.id(), place.jkt());
  }

  @Operation(summary = "One key, under each name that it has, had or asks for")
  @GetMapping("/api/keys/{thumbprint}")
  KeysJson key(HttpServletRequest request, @PathVariable String thumbprint) {
    Visible visible = Visible.of(access, HttpCallers.of(request), mirror.domains().keySet(), null);
    List<KeyJson> found =
        named(thumbprint, key -> visible.test(key.d())).stream().map(KeyJson::of).toList();
    if (found.isEmpty()) {
      throw new ExchangeException(Code.NOT_FOUND, "no such key");
    }
    return new KeysJson(found, null);
  }

  @Operation(
      summary = "Trusts a pending key, or a held one in place of the present (a rotation too)",
      description = "endpoint is needed only where the key waits under several names.")
  @PostMapping("/api/keys/{thumbprint}/approve")
  KeysJson approve(
      HttpServletRequest request,
      @PathVariable String thumbprint,
      @RequestParam @Nullable String endpoint) {
    decide(request, thumbprint, endpoint, mirror::approve);
    return key(request, thumbprint);
  }

  @Operation(
      summary = "Refuses a pending or held key; the present one of the name stays",
      description = "endpoint is needed only where the key waits under several names.")
  @PostMapping("/api/keys/{thumbprint}/refuse")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void refuse(
      HttpServletRequest request,
      @PathVariable String thumbprint,
      @RequestParam @Nullable String endpoint) {
    decide(request, thumbprint, endpoint, mirror::refuse);
  }

  /** What becomes of a key that waits for an endpoint's name. */
  @FunctionalInterface
  private interface Decision {
    CompletableFuture<?> take(String id, String jkt, String actor);
  }

  private void decide(
      HttpServletRequest request, String thumbprint, @Nullable String endpoint, Decision decision) {
    Caller caller = operator(request);
    KeyView waiting = waiting(thumbprint, endpoint);
    access.require(caller, Action.ADMINISTER, waiting.d());
    Answers.done(decision.take(id(waiting), thumbprint, caller.label()));
  }

  @Operation(
      summary = "Revokes a key for ever, under every name and domain, known or not",
      description = "Its updates are refused from now on, and what it signed is not served.")
  @PostMapping("/api/keys/{thumbprint}/revoke")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void revoke(HttpServletRequest request, @PathVariable String thumbprint) {
    Answers.done(mirror.revoke(thumbprint, operator(request).label()));
  }

  @Operation(
      summary = "Imports keys that a listed domain trusts from then on, all of them or none",
      description =
          "The body is a JWK set (RFC 7517, application/jwk-set+json; a member \"ep\" binds a key"
              + " to a name) or CSV (text/csv) with a line of column names first: jkt, or x and y"
              + " (crv for other curves than P-256; Ed25519 has no y); ep binds the key to a name;"
              + " d must be the domain. At most 10 000 keys and 4 MiB. d=- is the domain without a"
              + " name.")
  @PostMapping(
      path = "/api/keys",
      consumes = {"application/jwk-set+json", MediaType.APPLICATION_JSON_VALUE, "text/csv"})
  @ResponseStatus(HttpStatus.CREATED)
  ImportedJson imported(HttpServletRequest request, @RequestParam String d) throws IOException {
    Caller caller = operator(request);
    Domain domain = mirror.domains().get(DomainProperties.named(d));
    if (domain == null) {
      throw new ExchangeException(Code.NOT_FOUND, "there is no such domain");
    }
    access.require(caller, Action.ADMINISTER, domain.name());
    if (domain.trust() != TrustPolicy.LISTED) {
      throw new ExchangeException(
          Code.CONFLICT, "the domain does not trust by list; its setting trust must say listed");
    }
    byte[] body = Bodies.read(request, MAX_IMPORT);
    boolean csv = MediaType.parseMediaType(request.getContentType()).getType().equals("text");
    List<ListedKey> keys = csv ? KeyCsv.read(body, domain.name()) : KeySet.read(body);
    Answers.done(mirror.list(domain.name(), keys, caller.label()));
    return new ImportedJson(d, keys.size());
  }

  @Operation(
      summary = "Takes a key off the list of a domain again",
      description = "What it registered before stays; to end that too, revoke it.")
  @DeleteMapping("/api/keys/{thumbprint}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void unlisted(
      HttpServletRequest request, @PathVariable String thumbprint, @RequestParam String d) {
    String actor = operator(request).label();
    Answers.done(mirror.unlist(DomainProperties.named(d), thumbprint, actor));
  }

  /** Before anything is looked up: who may not decide learns nothing. */
  private Caller operator(HttpServletRequest request) {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.ADMINISTER, "");
    return caller;
  }

  private List<KeyView> named(String thumbprint, Predicate<KeyView> wanted) {
    return mirror.keys(wanted.and(key -> key.jkt().equals(thumbprint)), null, MOST);
  }

  private KeyView waiting(String thumbprint, @Nullable String endpoint) {
    List<KeyView> waiting =
        named(
            thumbprint,
            key ->
                key.state() == TrustState.PENDING
                    && (endpoint == null || endpoint.equals(key.id())));
    if (waiting.isEmpty()) {
      throw new ExchangeException(Code.CONFLICT, "the key waits for no decision");
    }
    if (waiting.size() > 1) {
      throw new ExchangeException(
          Code.CONFLICT,
          "the key waits under several names: say which with endpoint="
              + String.join(" or ", waiting.stream().map(KeysController::id).toList()));
    }
    return waiting.getFirst();
  }

  private static String id(KeyView waiting) {
    return Objects.requireNonNullElse(waiting.id(), "");
  }
}
