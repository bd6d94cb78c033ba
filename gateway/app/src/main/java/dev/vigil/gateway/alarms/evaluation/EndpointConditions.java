package dev.vigil.gateway.alarms.evaluation;

import dev.vigil.gateway.alarms.conditions.EndpointState;
import dev.vigil.gateway.alarms.kinds.AlarmKind;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.gateway.alarms.rules.RuleBook.Entry;
import dev.vigil.gateway.tags.TaggedEndpoints;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.Presence;
import java.util.List;

/** The conditions of single endpoints, decided from their present state. Used by one thread. */
final class EndpointConditions {
  private final MirrorQueries mirror;
  private final TaggedEndpoints tagged;
  private final DomainsWithWaitingKeys waiting;
  private long started;

  /** When the clock was last set back; the start if it never was. Unix time in milliseconds. */
  private long setBack;

  private List<Entry> rules = List.of();

  /**
   * @param started start of the gateway, unix time in milliseconds
   */
  EndpointConditions(
      MirrorQueries mirror, TaggedEndpoints tagged, DomainsWithWaitingKeys waiting, long started) {
    this.mirror = mirror;
    this.tagged = tagged;
    this.waiting = waiting;
    this.started = started;
    this.setBack = started;
  }

  /** Notes that the clock was set back: the gateway cannot have started later than now. */
  void setBack(long now) {
    started = Math.min(started, now);
    setBack = now;
  }

  /** Replaces the rules. The caller must then evaluate all registered endpoints. */
  void use(RuleBook book) {
    rules = book.enabled(AlarmKind.OfEndpoint.class::isInstance);
    waiting.clear();
  }

  /** Reports the conditions of one endpoint. */
  void evaluate(String id, long now, ConditionRound round) {
    Presence presence = mirror.presence(id).orElse(null);
    waiting.update(id, presence);
    if (presence == null || !presence.trusted()) {
      return;
    }
    EndpointState endpoint = new EndpointState(mirror, presence, now, started, setBack);
    List<String> tags = tagged.of(id);
    for (Entry entry : rules) {
      if (entry.rule().kind() instanceof AlarmKind.OfEndpoint kind
          && entry.rule().scope().fits(presence.d(), presence.ep(), tags)) {
        kind.evaluate(endpoint, round.of(entry));
      }
    }
  }
}
