package dev.vigil.gateway.automations.actions;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.automations.rules.AutomationAction;
import dev.vigil.gateway.automations.runs.ActionOutcome;
import dev.vigil.gateway.automations.runs.ActionResult;
import dev.vigil.gateway.automations.runs.AutomationRun;
import dev.vigil.gateway.automations.runs.RunCause;
import dev.vigil.gateway.northbound.messages.EventSink;
import dev.vigil.gateway.northbound.messages.OutgoingEvent;
import dev.vigil.gateway.northbound.messages.TopicSink;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Sends the actions of a run, one after the other. */
@Component
public final class ActionSender {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String EVENT = "dev.vigil.automation";
  private static final long HOUR = 3600;

  /** The times before further attempts to reach a webhook or broker. */
  private static final List<Duration> PAUSES =
      List.of(Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofSeconds(30));

  private final @Nullable CommandSender commands;
  private final Destinations destinations;
  private final Pause pause;
  private final Clock clock;

  public ActionSender(
      SigningKey key,
      Store store,
      MirrorQueries mirror,
      RequestDispatcher dispatcher,
      Destinations destinations,
      Pause pause,
      Clock clock) {
    this.commands =
        key.key().map(one -> new CommandSender(one, store, mirror, dispatcher, pause)).orElse(null);
    this.destinations = destinations;
    this.pause = pause;
    this.clock = clock;
  }

  /** A description of an action before its result is known. */
  public static ActionResult pending(AutomationAction action) {
    String target =
        switch (action.kind()) {
          case COMMAND -> action.path() + " of " + action.ep();
          case WEBHOOK -> String.valueOf(action.destination());
          case MQTT -> action.topic() + " at " + action.destination();
        };
    return new ActionResult(action.kind(), target, ActionOutcome.PENDING, action.ep(), null, null);
  }

  /**
   * Sends an action and waits for its result.
   *
   * @param caller with the rights of the account that saved the automation
   */
  public ActionResult send(
      Automation automation, AutomationRun run, AutomationAction action, Caller caller)
      throws InterruptedException {
    ActionResult pending = pending(action);
    return switch (action.kind()) {
      case COMMAND -> command(automation, action, caller, pending);
      case WEBHOOK -> event(automation, run, action, pending);
      case MQTT -> message(automation, action, pending);
    };
  }

  private ActionResult command(
      Automation automation, AutomationAction action, Caller caller, ActionResult pending)
      throws InterruptedException {
    if (commands == null) {
      return failed(pending, "the gateway has no commander's key");
    }
    long seconds = Objects.requireNonNullElse(action.expiresSeconds(), HOUR);
    CommandSender.Sent sent =
        commands.send(
            new EndpointName(String.valueOf(action.ep()), automation.d()),
            String.valueOf(action.path()),
            CommandValue.of(action.value()),
            clock.instant().getEpochSecond() + seconds,
            caller);
    return switch (sent) {
      case CommandSender.Sent.Queued(long number) -> pending.with(ActionOutcome.DONE, number, null);
      case CommandSender.Sent.Refused(String reason) -> failed(pending, reason);
      case CommandSender.Sent.Unanswered(long number) ->
          pending.with(ActionOutcome.UNKNOWN, number, "the mirror did not answer in time");
    };
  }

  private ActionResult event(
      Automation automation, AutomationRun run, AutomationAction action, ActionResult pending)
      throws InterruptedException {
    EventSink sink =
        destinations
            .webhook(String.valueOf(action.destination()))
            .filter(one -> one.includes(automation.d()))
            .orElse(null);
    if (sink == null) {
      return failed(pending, "the settings name no such webhook for this domain");
    }
    OutgoingEvent event = event(automation, run, action);
    return delivered(pending, () -> sink.send(event) ? null : "the receiver refuses the event");
  }

  private record EventJson(
      String automation, String name, String d, long run, String text, List<RunCause> causes) {}

  private static OutgoingEvent event(
      Automation automation, AutomationRun run, AutomationAction action) {
    String title = action.text() == null ? automation.name() : action.text();
    EventJson data =
        new EventJson(
            run.automation(),
            automation.name(),
            automation.d(),
            run.number(),
            title + ": " + run.text(),
            run.causes());
    return new OutgoingEvent(
        run.eventId(automation.actions().indexOf(action)),
        EVENT,
        "/api/automations/" + run.automation(),
        run.at(),
        JSON.writeValueAsString(data));
  }

  private ActionResult message(Automation automation, AutomationAction action, ActionResult pending)
      throws InterruptedException {
    String topic = String.valueOf(action.topic());
    TopicSink sink =
        destinations
            .broker(String.valueOf(action.destination()))
            .filter(one -> one.includes(automation.d()) && !destinations.reserve(topic))
            .orElse(null);
    if (sink == null) {
      return failed(pending, "the settings name no broker that takes this topic of this domain");
    }
    return delivered(
        pending,
        () -> {
          sink.publish(topic, Objects.requireNonNullElse(action.payload(), ""));
          return null;
        });
  }

  /** An attempt; returns the reason of a permanent refusal, or null after a success. */
  @FunctionalInterface
  private interface Attempt {
    @Nullable String send() throws IOException, InterruptedException;
  }

  private ActionResult delivered(ActionResult pending, Attempt attempt)
      throws InterruptedException {
    for (int i = 0; ; i++) {
      try {
        String refusal = attempt.send();
        return refusal == null
            ? pending.with(ActionOutcome.DONE, null, null)
            : failed(pending, refusal);
      } catch (IOException e) {
        if (i == PAUSES.size()) {
          String reason = e.getMessage();
          return failed(pending, reason == null ? e.getClass().getSimpleName() : reason);
        }
        pause.of(PAUSES.get(i));
      }
    }
  }

  private static ActionResult failed(ActionResult pending, String reason) {
    return pending.with(ActionOutcome.FAILED, null, reason);
  }
}
