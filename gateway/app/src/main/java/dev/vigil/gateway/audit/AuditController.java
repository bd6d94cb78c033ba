package dev.vigil.gateway.audit;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.api.PageCursor;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.AuditEntry;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The audit trail, for operators. */
@RestController
class AuditController {
  private static final int MAX_LIMIT = 1000;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final MirrorQueries mirror;
  private final Access access;

  AuditController(MirrorQueries mirror, Access access) {
    this.mirror = mirror;
    this.access = access;
  }

  /**
   * @param next if the newest come first, the {@code before} of the next page, absent at the end;
   *     otherwise the {@code after} of the next page, which may still be empty
   */
  record AuditJson(List<DecisionJson> decisions, @Nullable Long next) {}

  /**
   * @param position in the feed; the entries of one request share it
   * @param endpoint id of the endpoint; absent when the entry is about none
   * @param what the decision in words
   * @param key thumbprint of the key; absent when the entry is about none
   * @param by who decided: a label such as account:operator, mirror, gateway, endpoint, or an
   *     address
   * @param kind of the changed record, such as alarm-rule; absent when none was changed
   * @param record id of the changed record
   * @param before the record without its secrets; absent when it is new
   * @param after the record without its secrets; absent when it was removed
   */
  record DecisionJson(
      long position,
      Instant at,
      @Nullable String endpoint,
      @Nullable String ep,
      String d,
      String what,
      @Nullable String key,
      String by,
      @Nullable String kind,
      @Nullable String record,
      @Schema(types = "object") @Nullable Object before,
      @Schema(types = "object") @Nullable Object after) {
    static DecisionJson of(AuditEntry decision) {
      AuditEntry.Edit edit = decision.edit();
      return new DecisionJson(
          decision.position(),
          decision.at(),
          decision.id(),
          decision.ep(),
          decision.d(),
          decision.action(),
          decision.jkt().isEmpty() ? null : decision.jkt(),
          decision.actor(),
          edit == null ? null : edit.kind(),
          edit == null ? null : edit.record(),
          edit == null ? null : tree(edit.before()),
          edit == null ? null : tree(edit.after()));
    }

    private static @Nullable Object tree(@Nullable String json) {
      return json == null ? null : JSON.readValue(json, Object.class);
    }
  }

  @Operation(
      operationId = "listDecisions",
      summary = "Every decision about keys, commands, the network and records, newest first",
      description =
          "With after the oldest come first, so that a client can follow the trail. ep, with d"
              + " if the endpoint has a domain, selects one endpoint. text is searched for in"
              + " author, decision, endpoint and record. A page that is shorter than limit need"
              + " not be the last.")
  @GetMapping("/api/audit")
  AuditJson audit(
      HttpServletRequest request,
      @Parameter(
              description = "next of an earlier answer: continues with older decisions",
              schema = @Schema(type = "integer", format = "int64", minimum = "0"))
          @RequestParam
          @Nullable Long before,
      @Parameter(
              description =
                  "a position, or 0 for the beginning: continues with later decisions,"
                      + " oldest first",
              schema = @Schema(type = "integer", format = "int64", minimum = "0"))
          @RequestParam
          @Nullable Long after,
      @RequestParam(defaultValue = "100") int limit,
      @RequestParam @Nullable String ep,
      @RequestParam(defaultValue = DomainNames.NAMELESS) String d,
      @RequestParam @Nullable String text) {
    String domain = DomainNames.named(d);
    VisibleDomains operated =
        VisibleDomains.of(
            access,
            HttpCallers.of(request),
            Action.OPERATE,
            mirror.domains().keySet(),
            ep == null ? null : domain);
    if (before != null && after != null) {
      throw new ProblemException(ProblemType.INVALID_PARAMETER, "give before or after, not both");
    }
    requirePosition(before);
    requirePosition(after);
    if (ep != null && ep.startsWith(".")) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER, "ep begins with a dot, as no endpoint does");
    }
    int size = PageCursor.limit(limit, MAX_LIMIT);
    Predicate<AuditEntry> wanted =
        entry -> isVisible(entry, operated) && (text == null || AuditSearch.finds(text, entry));
    if (after != null) {
      List<AuditEntry> following = mirror.audit(ep, domain, after, size);
      return json(
          following.stream().filter(wanted).toList(),
          following.isEmpty() ? after : following.getLast().position());
    }
    int chunk = text == null ? size : AuditSearch.CHUNK;
    AuditSearch.Found found =
        AuditSearch.newestFirst(
            before == null ? Long.MAX_VALUE : before,
            size,
            wanted,
            chunk,
            position -> mirror.auditNewestFirst(ep, domain, position, chunk));
    return json(found.entries(), found.next());
  }

  private static void requirePosition(@Nullable Long cursor) {
    if (cursor != null && cursor < 0) {
      throw new ProblemException(
          ProblemType.INVALID_CURSOR, "before and after take the next of an earlier answer");
    }
  }

  /**
   * Decisions about no endpoint may concern every domain: only operators of all domains see them.
   */
  private static boolean isVisible(AuditEntry entry, VisibleDomains operated) {
    return operated.test(
        entry.id() == null && entry.d().isEmpty() ? Access.EVERY_DOMAIN : entry.d());
  }

  private static AuditJson json(List<AuditEntry> decisions, @Nullable Long next) {
    return new AuditJson(decisions.stream().map(DecisionJson::of).toList(), next);
  }
}
