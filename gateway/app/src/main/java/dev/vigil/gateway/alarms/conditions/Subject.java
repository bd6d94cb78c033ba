package dev.vigil.gateway.alarms.conditions;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The subject of an alarm.
 *
 * @param d domain; null: the gateway itself
 * @param ep endpoint name; null: the alarm is about none
 * @param endpoint id of the endpoint, as in {@code /ms/{id}}
 * @param part path of the resource, or name of the radio, destination or gateway; null: none
 * @param gateway the gateway of a cluster whose own state it is; null: no cluster, or the state is
 *     the same on all gateways
 */
public record Subject(
    @Nullable String d,
    @Nullable String ep,
    @Nullable String endpoint,
    @Nullable String part,
    @Nullable String gateway) {
  public static final Subject GATEWAY = new Subject(null, null, null, null);

  /** The owner of alarms that do not depend on the state of a single endpoint. */
  public static final String NO_ENDPOINT = "";

  /** Ids of endpoints never begin with it. */
  private static final String GATEWAY_MARK = "@";

  public Subject(
      @Nullable String d, @Nullable String ep, @Nullable String endpoint, @Nullable String part) {
    this(d, ep, endpoint, part, null);
  }

  /** The owner of the alarms about one gateway of a cluster. */
  public static String ownerOf(String gateway) {
    return GATEWAY_MARK + gateway;
  }

  /** The gateway whose alarms an owner has; empty if it is no gateway of a cluster. */
  public static Optional<String> gatewayOf(String owner) {
    return owner.startsWith(GATEWAY_MARK)
        ? Optional.of(owner.substring(GATEWAY_MARK.length()))
        : Optional.empty();
  }

  public static Subject part(String part) {
    return new Subject(null, null, null, part);
  }

  public static Subject domain(String d) {
    return new Subject(d, null, null, null);
  }

  /** The same subject at one gateway of a cluster. */
  public Subject at(String name) {
    return new Subject(d, ep, endpoint, part, name);
  }

  /**
   * The endpoint or gateway whose conditions raise and clear the alarm; {@link #NO_ENDPOINT}: none.
   */
  public String owner() {
    if (gateway != null) {
      return ownerOf(gateway);
    }
    return endpoint == null ? NO_ENDPOINT : endpoint;
  }
}
