package dev.vigil.gateway.audit;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Access.Action;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.gateway.config.DomainProperties;
import dev.vigil.gateway.http.Cursor;
import dev.vigil.gateway.http.HttpCallers;
import dev.vigil.mirror.Decision;
import dev.vigil.mirror.MirrorProxy;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The trail of decisions, for operators. */
@RestController
class AuditController {
  private static final int MOST = 1000;

  private final MirrorProxy mirror;
  private final Access access;

  AuditController(MirrorProxy mirror, Access access) {
    this.mirror = mirror;
    this.access = access;
  }

  /**
   * @param next newest first: what to give as {@code before} for what is older, absent where there
   *     is nothing; oldest first: what to give as {@code after} for what follows, now or later
   */
  record AuditJson(List<DecisionJson> decisions, @Nullable Long next) {}

  /**
   * @param position in the feed; decisions of one request share it
   * @param endpoint the id of the endpoint it is about; absent for what is apart from any
   * @param key the thumbprint of the key it is about; absent where there is none
   * @param by who decided: a label such as account:operator, mirror, endpoint, an address
   */
  record DecisionJson(
      long position,
      Instant at,
      @Nullable String endpoint,
      @Nullable String ep,
      String d,
      String what,
      @Nullable String key,
      String by) {
    static DecisionJson of(Decision decision) {
      return new DecisionJson(
          decision.position(),
          decision.at(),
          decision.id(),
          decision.ep(),
          decision.d(),
          decision.what(),
          decision.jkt().isEmpty() ? null : decision.jkt(),
          decision.by());
    }
  }

  @Operation(
      summary = "Every decision about keys, commands and the network, newest first",
      description =
          "before is the next of an earlier answer. With after instead, 0 or a position, oldest"
              + " first from there on, so that a reader can follow. ep, with d where it has one,"
              + " chooses one endpoint. limit is 1 to 1000.")
  @GetMapping("/api/audit")
  AuditJson audit(
      HttpServletRequest request,
      @RequestParam @Nullable Long before,
      @RequestParam @Nullable Long after,
      @RequestParam(defaultValue = "100") int limit,
      @RequestParam @Nullable String ep,
      @RequestParam(defaultValue = DomainProperties.NAMELESS) String d) {
    access.require(HttpCallers.of(request), Action.ADMINISTER, "");
    if (before != null && after != null) {
      throw new ExchangeException(Code.BAD_REQUEST, "before or after, not both");
    }
    requirePosition(before);
    requirePosition(after);
    String domain = DomainProperties.named(d);
    int most = Cursor.limit(limit, MOST);
    if (after != null) {
      List<Decision> following = mirror.audit(ep, domain, after, most);
      return json(following, following.isEmpty() ? after : following.getLast().position());
    }
    long newest = before == null ? Long.MAX_VALUE : before;
    List<Decision> past = mirror.auditBack(ep, domain, newest, most);
    return json(past, past.size() < most ? null : past.getLast().position());
  }

  private static void requirePosition(@Nullable Long cursor) {
    if (cursor != null && cursor < 0) {
      throw new ExchangeException(Code.BAD_REQUEST, "before and after are the next of an answer");
    }
  }

  private static AuditJson json(List<Decision> decisions, @Nullable Long next) {
    return new AuditJson(decisions.stream().map(DecisionJson::of).toList(), next);
  }
}
