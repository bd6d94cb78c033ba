package dev.vigil.gateway.alarms.conditions;

import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.Presence;
import dev.vigil.signed.senml.ResolvedRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The present state of one trusted endpoint. Each value is read only once, even if several rules
 * use it.
 */
public final class EndpointState {
  /** Further ahead of the clock than the clocks of a cluster differ. */
  private static final long AHEAD_MILLIS = 60_000;

  private final MirrorQueries mirror;
  private final Presence presence;
  private final long now;
  private final long started;
  private final long setBack;
  private final Map<String, List<ResolvedRecord>> measured = new HashMap<>();
  private @Nullable List<String> paths;

  /**
   * @param now unix time in milliseconds
   * @param started start of the gateway, unix time in milliseconds
   * @param setBack when the clock was last set back; the start if it never was
   */
  public EndpointState(
      MirrorQueries mirror, Presence presence, long now, long started, long setBack) {
    this.mirror = mirror;
    this.presence = presence;
    this.now = now;
    this.started = started;
    this.setBack = setBack;
  }

  public Presence presence() {
    return presence;
  }

  /** The time of the evaluation, unix time in milliseconds. */
  public long now() {
    return now;
  }

  /** The start of the gateway, unix time in milliseconds; the gateway received nothing before. */
  public long started() {
    return started;
  }

  /**
   * Whether the endpoint was last heard before the clock was set back, which makes its time wrong.
   */
  public boolean isHeardAhead() {
    return presence.heard() > now + AHEAD_MILLIS;
  }

  /** The last time at which the endpoint may have been heard, unix time in milliseconds. */
  public long heard() {
    return isHeardAhead() ? setBack : presence.heard();
  }

  /** The paths of the resources that have a value. */
  public List<String> paths() {
    List<String> known = paths;
    if (known == null) {
      known = List.copyOf(mirror.pathsWithValues(presence.id()));
      paths = known;
    }
    return known;
  }

  /** The records of a resource's last value. */
  public List<ResolvedRecord> measurements(String path) {
    return measured.computeIfAbsent(path, p -> mirror.lastMeasurements(presence.id(), p));
  }

  /** The name of the endpoint in texts for people. */
  public String name() {
    return presence.d().isEmpty() ? presence.ep() : presence.ep() + " in " + presence.d();
  }

  /**
   * @param path of the resource; null: the endpoint itself
   */
  public Subject subject(@Nullable String path) {
    return new Subject(presence.d(), presence.ep(), presence.id(), path);
  }
}
