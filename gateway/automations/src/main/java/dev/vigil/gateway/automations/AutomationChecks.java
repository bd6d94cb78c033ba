package dev.vigil.gateway.automations;

import dev.vigil.gateway.automations.actions.CommandValue;
import dev.vigil.gateway.automations.actions.Destinations;
import dev.vigil.gateway.automations.actions.SigningKey;
import dev.vigil.gateway.automations.evaluation.NumberReading;
import dev.vigil.gateway.automations.history.ReadingHistory;
import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.automations.rules.AutomationAction;
import dev.vigil.gateway.automations.rules.AutomationCondition;
import dev.vigil.gateway.automations.rules.LoopSearch;
import dev.vigil.gateway.automations.rules.Members;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.control.ResourceControl;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.ResourceView;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.signed.senml.SenmlValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Finds out why an automation cannot run, before it is saved and later. */
@Component
final class AutomationChecks {
  private final Automations automations;
  private final ReadingHistory history;
  private final MirrorQueries mirror;
  private final SigningKey key;
  private final Destinations destinations;

  AutomationChecks(
      Automations automations,
      ReadingHistory history,
      MirrorQueries mirror,
      SigningKey key,
      Destinations destinations) {
    this.automations = automations;
    this.history = history;
    this.mirror = mirror;
    this.key = key;
    this.destinations = destinations;
  }

  /** Whether a domain accepts commands of this gateway. */
  boolean acceptsCommands(String d) {
    return key.isAccepted(mirror, d);
  }

  /** The reason why it cannot run; empty if it can. */
  Optional<String> fault(String id, Automation automation) {
    try {
      requireRunnable(id, automation);
      return Optional.empty();
    } catch (ProblemException e) {
      return Optional.of(e.diagnostic());
    }
  }

  /**
   * @throws ProblemException 4.00, names the member that is wrong
   */
  void requireRunnable(String id, Automation automation) {
    Members.require(mirror.domains().containsKey(automation.d()), "d", "there is no such domain");
    Map<String, EndpointView> endpoints = new HashMap<>();
    for (int i = 0; i < automation.conditions().size(); i++) {
      AutomationCondition condition = automation.conditions().get(i);
      String at = "conditions[" + i + "]";
      EndpointView endpoint = endpoint(at, automation.d(), condition.ep(), endpoints);
      resource(at, endpoint, condition.path());
      requireNumber(at, endpoint, condition);
    }
    for (int i = 0; i < automation.actions().size(); i++) {
      AutomationAction action = automation.actions().get(i);
      String at = "actions[" + i + "]";
      switch (action.kind()) {
        case COMMAND -> requireCommand(at, automation.d(), action, endpoints);
        case WEBHOOK -> requireWebhook(at, automation.d(), action);
        case MQTT -> requireTopic(at, automation.d(), action);
      }
    }
    List<LoopSearch.Step> loop = automations.loopsWith(id, automation).through(id);
    if (!loop.isEmpty()) {
      throw Members.refused("actions", "make a loop: " + LoopSearch.words(loop));
    }
  }

  private EndpointView endpoint(String at, String d, String ep, Map<String, EndpointView> known) {
    EndpointView endpoint = known.get(ep);
    if (endpoint == null) {
      endpoint =
          mirror
              .endpoint(history.id(d, ep))
              .orElseThrow(
                  () -> Members.refused(at + ".ep", "no endpoint of this domain has this name"));
      known.put(ep, endpoint);
    }
    Members.require(
        endpoint.state() == TrustState.TRUSTED,
        at + ".ep",
        "the key of this endpoint is not trusted");
    return endpoint;
  }

  private static ResourceView resource(String at, EndpointView endpoint, String path) {
    for (ResourceView resource : endpoint.resources()) {
      if (resource.path().equals(path)) {
        return resource;
      }
    }
    String known =
        endpoint.resources().stream().map(ResourceView::path).collect(Collectors.joining(", "));
    throw Members.refused(
        at + ".path",
        "this endpoint has no such resource; it has " + (known.isEmpty() ? "none" : known));
  }

  /** A resource without a value yet may have any. */
  private void requireNumber(String at, EndpointView endpoint, AutomationCondition condition) {
    List<ResolvedRecord> last = mirror.lastMeasurements(endpoint.id(), condition.path());
    if (last.isEmpty() || NumberReading.of(condition, 0, 0, last).isPresent()) {
      return;
    }
    if (condition.record() != null) {
      throw Members.refused(at + ".record", "the last value has no number with this name and unit");
    }
    if (condition.unit() != null) {
      throw Members.refused(
          at + ".unit",
          "the last value has no number with this unit; it has "
              + last.stream()
                  .map(one -> String.valueOf(one.unit()))
                  .distinct()
                  .collect(Collectors.joining(", ")));
    }
    throw Members.refused(at + ".path", "the last value of this resource is not a number");
  }

  private void requireCommand(
      String at, String d, AutomationAction action, Map<String, EndpointView> endpoints) {
    EndpointView endpoint = endpoint(at, d, String.valueOf(action.ep()), endpoints);
    ResourceView resource = resource(at, endpoint, String.valueOf(action.path()));
    Members.require(resource.writable(), at + ".path", "this resource does not accept commands");
    ResourceControl control = resource.control();
    SenmlValue value = CommandValue.of(action.value());
    Members.require(
        !control.declared() || control.control().accepts(value),
        at + ".value",
        "%s takes %s, not %s"
            .formatted(action.path(), control.control().accepted(), SenmlPack.text(value)));
    Members.require(
        key.key().isPresent(),
        at + ".kind",
        "this gateway signs no commands: its settings have no vigil.automations.commander-key");
    Members.require(
        acceptsCommands(d),
        at + ".kind",
        "the domain does not accept commands of this gateway: enrol its commander's key "
            + key.key().orElseThrow().thumbprint());
  }

  private void requireWebhook(String at, String d, AutomationAction action) {
    Members.require(
        destinations
            .webhook(String.valueOf(action.destination()))
            .filter(one -> one.includes(d))
            .isPresent(),
        at + ".destination",
        "the settings name no such webhook for this domain");
  }

  private void requireTopic(String at, String d, AutomationAction action) {
    Members.require(
        destinations
            .broker(String.valueOf(action.destination()))
            .filter(one -> one.includes(d))
            .isPresent(),
        at + ".destination",
        "the settings name no such broker for this domain");
    Members.require(
        !destinations.reserve(String.valueOf(action.topic())),
        at + ".topic",
        "only the gateway itself publishes below this level");
  }
}
