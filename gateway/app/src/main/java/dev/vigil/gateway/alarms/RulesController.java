package dev.vigil.gateway.alarms;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.alarms.rules.AlarmRule;
import dev.vigil.gateway.alarms.rules.RuleBodyJson;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.gateway.alarms.rules.RuleJson;
import dev.vigil.gateway.api.EntityTags;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.RecordIds;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shows the alarm rules and lets operators change them. */
@RestController
class RulesController {
  private final RuleBook rules;
  private final AlarmRights rights;

  RulesController(RuleBook rules, AlarmRights rights) {
    this.rules = rules;
    this.rights = rights;
  }

  record RulesJson(List<RuleJson> rules) {}

  @Operation(
      operationId = "listAlarmRules",
      summary = "The alarm rules: default rules, and rules that operators created or changed")
  @GetMapping("/api/alarm-rules")
  RulesJson rules(HttpServletRequest request) {
    AlarmRights.Sight sight = rights.sight(HttpCallers.of(request), null);
    return new RulesJson(
        rules.all().stream()
            .filter(entry -> sight.includes(entry.rule().scope().d()))
            .map(RuleJson::of)
            .toList());
  }

  @Operation(operationId = "getAlarmRule", summary = "One alarm rule; its ETag is for If-Match")
  @GetMapping("/api/alarm-rules/{id}")
  ResponseEntity<RuleJson> rule(HttpServletRequest request, @PathVariable String id) {
    AlarmRights.Sight sight = rights.sight(HttpCallers.of(request), null);
    return answer(
        rules
            .get(id)
            .filter(entry -> sight.includes(entry.rule().scope().d()))
            .orElseThrow(RulesController::unknown));
  }

  private static ResponseEntity<RuleJson> answer(RuleBook.Entry entry) {
    return ResponseEntity.ok().eTag(EntityTags.of(entry.version())).body(RuleJson.of(entry));
  }

  private static ProblemException unknown() {
    return new ProblemException(ProblemType.NOT_FOUND, "no alarm rule has this id");
  }

  @Operation(
      operationId = "putAlarmRule",
      summary = "Creates or changes an alarm rule; takes effect at once",
      description =
          "The body has the members of an answer. kind and the limits of that kind are required. With"
              + " If-Match the rule changes only if nobody else has changed it. A default rule"
              + " can be changed too; DELETE restores the default.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = RuleBodyJson.class))))
  @PutMapping(path = "/api/alarm-rules/{id}", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<RuleJson> put(
      HttpServletRequest request,
      @PathVariable String id,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch)
      throws IOException {
    Caller caller = HttpCallers.of(request);
    rights.requireReader(caller);
    RecordIds.require(id);
    replaced(caller, id);
    AlarmRule rule = JsonBodies.read(request, RuleBodyJson.class).rule();
    rights.requireOperator(caller, rule.scope().d());
    // Another operator may have made or changed the rule while the body was arriving.
    RuleBook.Entry present = replaced(caller, id);
    if (present != null && present.rule().kind() != rule.kind()) {
      throw new ProblemException(
          ProblemType.CONFLICT, "kind: cannot change; create another rule instead");
    }
    OptionalLong version =
        EntityTags.judged(present == null ? null : present.version(), ifMatch, ifNoneMatch);
    FutureResults.of(rules.put(id, rule, version, caller.label())).require("alarm rule");
    return answer(rules.get(id).orElseThrow(RulesController::unknown));
  }

  /** The rule that a change replaces, which the caller must be permitted to change; null: none. */
  private RuleBook.@Nullable Entry replaced(Caller caller, String id) {
    RuleBook.Entry present = rules.get(id).orElse(null);
    if (present != null) {
      rights.requireOperator(caller, present.rule().scope().d());
    }
    return present;
  }

  @Operation(
      operationId = "removeAlarmRule",
      summary = "Removes an alarm rule, or the changes of a default rule",
      description = "Its open alarms are cleared.")
  @DeleteMapping("/api/alarm-rules/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(
      HttpServletRequest request,
      @PathVariable String id,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Caller caller = HttpCallers.of(request);
    rights.requireReader(caller);
    RuleBook.Entry present = rules.get(id).orElseThrow(RulesController::unknown);
    rights.requireOperator(caller, present.rule().scope().d());
    if (present.isDefault()) {
      throw new ProblemException(
          ProblemType.CONFLICT,
          "a default rule cannot be removed: turn it off with \"enabled\": false");
    }
    OptionalLong version = EntityTags.judged(present.version(), ifMatch, null);
    FutureResults.of(rules.remove(present, version, caller.label())).require("alarm rule");
  }
}
