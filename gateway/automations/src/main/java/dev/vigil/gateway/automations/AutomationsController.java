package dev.vigil.gateway.automations;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.accounts.AccountRights;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.api.EntityTags;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.automations.actions.Destinations;
import dev.vigil.gateway.automations.actions.SigningKey;
import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.automations.rules.AutomationBodyJson;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.commanders.CommanderKey;
import dev.vigil.gateway.records.RecordIds;
import dev.vigil.gateway.records.Versioned;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Clock;
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

/** Shows the automations and lets operators change them. */
@RestController
class AutomationsController {
  private static final String ONE = "/api/automations/{id}";

  private final Automations automations;
  private final AutomationRights rights;
  private final AutomationChecks checks;
  private final AutomationStatus status;
  private final SigningKey key;
  private final Destinations destinations;
  private final Clock clock;

  AutomationsController(
      Automations automations,
      AutomationRights rights,
      AutomationChecks checks,
      AutomationStatus status,
      SigningKey key,
      Destinations destinations,
      Clock clock) {
    this.automations = automations;
    this.rights = rights;
    this.checks = checks;
    this.status = status;
    this.key = key;
    this.destinations = destinations;
    this.clock = clock;
  }

  /**
   * @param commanderKey thumbprint of the key that signs commands; absent: the settings name none
   * @param domains that the caller may operate, with what automations may use there
   */
  @Schema(name = "Automations")
  record AutomationsJson(
      List<AutomationJson> automations,
      @Nullable String commanderKey,
      List<DomainChoicesJson> domains) {}

  /**
   * The choices of an automation in a domain.
   *
   * @param d "-" for the one without a name
   * @param commands whether the domain accepts commands of the gateway
   */
  @Schema(name = "AutomationChoices")
  record DomainChoicesJson(
      String d, boolean commands, List<String> webhooks, List<String> brokers) {}

  @Operation(
      operationId = "listAutomations",
      summary = "The automations of the domains that the caller may read, by id")
  @GetMapping("/api/automations")
  AutomationsJson all(HttpServletRequest request) {
    Caller caller = HttpCallers.of(request);
    List<AutomationJson> visible = rights.visible(caller).stream().map(status::json).toList();
    return new AutomationsJson(
        visible,
        key.key().map(CommanderKey::thumbprint).orElse(null),
        rights.operatedDomains(caller).stream().map(this::choices).toList());
  }

  private DomainChoicesJson choices(String d) {
    return new DomainChoicesJson(
        DomainNames.label(d),
        checks.acceptsCommands(d),
        destinations.webhooks(d),
        destinations.brokers(d));
  }

  @Operation(operationId = "getAutomation", summary = "One automation; its ETag is for If-Match")
  @GetMapping(ONE)
  ResponseEntity<AutomationJson> one(HttpServletRequest request, @PathVariable String id) {
    return answer(rights.seen(HttpCallers.of(request), id));
  }

  private ResponseEntity<AutomationJson> answer(Versioned<Automation> automation) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(automation.version()))
        .body(status.json(automation));
  }

  @Operation(
      operationId = "putAutomation",
      summary = "Creates or changes an automation; takes effect at once",
      description =
          "With If-Match the automation changes only if nobody else has changed it. An automation that"
              + " cannot run is refused: an unknown endpoint or resource, a command that the resource or"
              + " the domain does not accept, an unknown destination, or a loop of automations. It acts"
              + " with the present rights of the account that saved it. If its conditions hold when it"
              + " is saved, it acts only after they did not hold. Saving ends a suspension.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = AutomationBodyJson.class))))
  @PutMapping(path = ONE, consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<AutomationJson> put(
      HttpServletRequest request,
      @PathVariable String id,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch)
      throws IOException {
    Caller caller = HttpCallers.of(request);
    rights.requireReader(caller);
    RecordIds.require(id);
    replaced(caller, id);
    AutomationBodyJson body = JsonBodies.read(request, AutomationBodyJson.class);
    rights.requireOperator(caller, body.domain());
    String by = AccountRights.requireSaver(caller, "automations");
    // Another operator may have made or changed the automation while the body was arriving.
    Versioned<Automation> present = replaced(caller, id);
    OptionalLong version =
        EntityTags.judged(present == null ? null : present.version(), ifMatch, ifNoneMatch);
    save(id, body.automation(id, by, rights.made(by), clock.instant()), version, caller);
    return answer(automations.get(id).orElseThrow(AutomationRights::unknown));
  }

  /** The automation that a change replaces, which the caller must be permitted to change. */
  private @Nullable Versioned<Automation> replaced(Caller caller, String id) {
    Versioned<Automation> present = automations.get(id).orElse(null);
    if (present != null) {
      rights.requireOperator(caller, present.value().d());
    }
    return present;
  }

  /** One at a time, so that two automations of a loop are not saved at once. */
  private synchronized void save(
      String id, Automation automation, OptionalLong version, Caller caller) {
    checks.requireRunnable(id, automation);
    FutureResults.of(automations.put(id, automation, version, caller.label()))
        .require("automation");
  }

  @Operation(operationId = "removeAutomation", summary = "Removes an automation and its runs")
  @DeleteMapping(ONE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(
      HttpServletRequest request,
      @PathVariable String id,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Caller caller = HttpCallers.of(request);
    Versioned<Automation> present = rights.operated(caller, id);
    OptionalLong version = EntityTags.judged(present.version(), ifMatch, null);
    FutureResults.of(automations.remove(present, version, caller.label())).require("automation");
  }
}
