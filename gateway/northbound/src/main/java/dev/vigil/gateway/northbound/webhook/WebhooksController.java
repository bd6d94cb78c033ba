package dev.vigil.gateway.northbound.webhook;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.northbound.events.CloudEvent;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Versioned;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lets operators see, replay and discard dead letters. */
@RestController
class WebhooksController {
  private final WebhookDestinations webhooks;
  private final DeadLetters deadLetters;
  private final Access access;

  WebhooksController(WebhookDestinations webhooks, DeadLetters deadLetters, Access access) {
    this.webhooks = webhooks;
    this.deadLetters = deadLetters;
    this.access = access;
  }

  record WebhookJson(String name, int deadLetters) {}

  record WebhooksJson(List<WebhookJson> webhooks) {}

  /**
   * @param at time at which the server refused the event
   * @param event the CloudEvent; empty when the event was too long to store
   */
  record DeadLetterJson(String id, Instant at, String eventId, String type, String event) {
    static DeadLetterJson of(Versioned<DeadLetter> stored) {
      DeadLetter letter = stored.value();
      return new DeadLetterJson(
          stored.id(), stored.at(), letter.eventId(), letter.type(), letter.event());
    }
  }

  record DeadLettersJson(List<DeadLetterJson> deadLetters) {}

  @Operation(
      operationId = "listWebhooks",
      summary = "The webhooks in the settings, with their numbers of dead letters")
  @GetMapping("/api/webhooks")
  WebhooksJson webhooks(HttpServletRequest request) {
    operator(request);
    return new WebhooksJson(
        webhooks.webhooks().stream()
            .map(one -> new WebhookJson(one.webhook(), deadLetters.of(one.webhook()).size()))
            .toList());
  }

  @Operation(
      operationId = "listDeadLetters",
      summary = "The events that the server refused permanently, oldest first")
  @GetMapping("/api/webhooks/{name}/dead-letters")
  DeadLettersJson deadLetters(HttpServletRequest request, @PathVariable String name) {
    operator(request);
    webhook(name);
    return new DeadLettersJson(deadLetters.of(name).stream().map(DeadLetterJson::of).toList());
  }

  @Operation(
      operationId = "replayDeadLetter",
      summary = "Sends a dead letter again",
      description =
          "After the server has accepted the event, the dead letter is removed; otherwise 502. The"
              + " event arrives after later events of its endpoint.")
  @PostMapping("/api/webhooks/{name}/dead-letters/{id}/replay")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void replay(HttpServletRequest request, @PathVariable String name, @PathVariable String id)
      throws InterruptedException {
    Caller caller = operator(request);
    WebhookDestination webhook = webhook(name);
    Versioned<DeadLetter> stored = letter(name, id);
    DeadLetter letter = stored.value();
    if (letter.event().isEmpty()) {
      throw new ProblemException(
          ProblemType.CONFLICT,
          "the event was too long to store: read the value and discard the dead letter");
    }
    try {
      if (!webhook.replay(new CloudEvent(letter.eventId(), letter.type(), letter.event()))) {
        throw new IOException("the server refused the event again");
      }
    } catch (IOException e) {
      throw new ProblemException(ProblemType.BAD_GATEWAY, "not delivered: " + e.getMessage());
    }
    remove(stored, caller, "replayed dead letter ");
  }

  @Operation(operationId = "discardDeadLetter", summary = "Discards a dead letter")
  @DeleteMapping("/api/webhooks/{name}/dead-letters/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void discard(HttpServletRequest request, @PathVariable String name, @PathVariable String id) {
    Caller caller = operator(request);
    webhook(name);
    remove(letter(name, id), caller, "discarded dead letter ");
  }

  private Caller operator(HttpServletRequest request) {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.OPERATE, Access.EVERY_DOMAIN);
    return caller;
  }

  private WebhookDestination webhook(String name) {
    return webhooks
        .find(name)
        .orElseThrow(
            () -> new ProblemException(ProblemType.NOT_FOUND, "the settings name no such webhook"));
  }

  private Versioned<DeadLetter> letter(String name, String id) {
    return deadLetters
        .get(name, id)
        .orElseThrow(
            () -> new ProblemException(ProblemType.NOT_FOUND, "there is no such dead letter"));
  }

  private void remove(Versioned<DeadLetter> stored, Caller caller, String verb) {
    Audit audit = Audit.of(caller, verb + stored.id());
    FutureResults.of(deadLetters.remove(stored, audit)).require("dead letter");
  }
}
