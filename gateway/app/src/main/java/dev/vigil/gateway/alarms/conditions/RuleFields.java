package dev.vigil.gateway.alarms.conditions;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The fields that the rules of a kind have.
 *
 * @param above null: rules have no such limit
 * @param below likewise
 * @param units SenML units to choose from, empty: any; null: rules have no unit
 */
public record RuleFields(
    Watched watched,
    @Nullable LimitUse above,
    @Nullable LimitUse below,
    @Nullable List<String> units) {

  /** The object that a rule watches. */
  public enum Watched {
    /** The gateway itself. */
    GATEWAY,
    /** Each domain. */
    DOMAIN,
    /** Each endpoint. */
    ENDPOINT,
    /** Each endpoint; with an empty pattern of names, all endpoints together. */
    ENDPOINT_OR_ALL,
    /** Each resource of each endpoint. */
    RESOURCE;

    @JsonValue
    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Whether the rules of a kind need a limit. */
  public enum LimitUse {
    OPTIONAL,
    /** One of the two limits, or both. */
    EITHER,
    NEEDED;

    @JsonValue
    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static RuleFields withoutLimits(Watched watched) {
    return new RuleFields(watched, null, null, null);
  }

  public static RuleFields above(Watched watched, LimitUse use) {
    return new RuleFields(watched, use, null, null);
  }

  public static RuleFields below(Watched watched, LimitUse use) {
    return new RuleFields(watched, null, use, null);
  }

  /** Whether alarms of the kind belong to domains; other alarms are about the gateway itself. */
  public boolean isOfDomain() {
    return watched != Watched.GATEWAY;
  }

  /** Whether the rules of the kind watch single endpoints. */
  public boolean isOfEndpoint() {
    return isOfDomain() && watched != Watched.DOMAIN;
  }
}
