package dev.vigil.mirror.read;

import dev.vigil.coap.link.Link;
import dev.vigil.mirror.control.ResourceControl;
import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.EndpointLinks;
import dev.vigil.mirror.model.HeldKey;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.RegistrationRequest;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.history.ValueMark;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.mirror.state.UnprovenRegistration;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlPack;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the views of endpoints for operators and applications. */
public final class EndpointViews {
  private static final int MISSING_AFTER_INTERVALS = 3;

  /**
   * The reason with which an endpoint refuses a command for a resource that it does not have
   * (docs/protocol.md section 8).
   */
  private static final int NO_SUCH_RESOURCE = 404;

  /** The minimum grace of a late update in milliseconds, which covers the delay of the radio. */
  private static final long MIN_GRACE = 2000;

  private final MirrorState state;
  private final Map<String, Domain> domains;
  private final Clock clock;

  public EndpointViews(MirrorState state, Map<String, Domain> domains, Clock clock) {
    this.state = state;
    this.domains = domains;
    this.clock = clock;
  }

  /** Seconds between updates as registered, or else the default of the domain. */
  long wakeInterval(MirroredEndpoint endpoint) {
    Lease lease = endpoint.lease();
    if (lease != null && lease.wake() != Lease.UNKNOWN) {
      return lease.wake();
    }
    Domain domain = domains.get(endpoint.name().d());
    return domain == null ? 0 : domain.defaultWake().toSeconds();
  }

  /**
   * @throws IllegalArgumentException if the endpoint was removed
   */
  public EndpointView of(MirroredEndpoint endpoint) {
    KeyHistory keys = endpoint.keys();
    Lease lease = endpoint.lease();
    if (keys == null || lease == null) {
      throw new IllegalArgumentException("the endpoint was removed: " + endpoint.name());
    }
    List<HeldKey> held = endpoint.held().keys();
    TrustState trust = trust(keys);
    return new EndpointView(
        endpoint.id(),
        endpoint.name().ep(),
        endpoint.name().d(),
        lease.type(),
        trust,
        keys.jkt(),
        keys.note() != null ? keys.note() : held.isEmpty() ? null : held.getFirst().why(),
        waiting(endpoint, keys),
        Instant.ofEpochSecond(lease.registered()),
        Instant.ofEpochSecond(lease.expires()),
        wakeInterval(endpoint),
        Instant.ofEpochMilli(endpoint.lastHeard()),
        freshness(endpoint, trust),
        deadline(endpoint, trust, lateAfter(endpoint)),
        deadline(endpoint, trust, missingAfter(endpoint)),
        endpoint.high(),
        CommandQueue.of(endpoint).pending(clock.instant().getEpochSecond()).size(),
        resources(endpoint, lease));
  }

  private List<KeyView> waiting(MirroredEndpoint endpoint, KeyHistory keys) {
    List<KeyView> waiting = new ArrayList<>();
    if (keys.state() == TrustState.PENDING && !state.isRevoked(keys.jkt())) {
      waiting.add(KeyViews.present(endpoint, keys, TrustState.PENDING));
    }
    endpoint.held().keys().forEach(key -> waiting.add(KeyViews.held(endpoint, key)));
    return List.copyOf(waiting);
  }

  /** The endpoint that the registration would make. */
  private static MirroredEndpoint endpoint(UnprovenRegistration unproven) {
    Lease lease = unproven.request().lease();
    return MirroredEndpoint.of(unproven.id(), unproven.request().name())
        .withLease(lease, lease.registered() * 1000);
  }

  /** The view of a plain registration that awaits proof. */
  EndpointView of(UnprovenRegistration unproven) {
    RegistrationRequest request = unproven.request();
    Lease lease = request.lease();
    MirroredEndpoint endpoint = endpoint(unproven);
    return new EndpointView(
        unproven.id(),
        request.name().ep(),
        request.name().d(),
        lease.type(),
        TrustState.UNPROVEN,
        request.jkt(),
        "waits for its first update",
        List.of(),
        Instant.ofEpochSecond(lease.registered()),
        Instant.ofEpochSecond(unproven.expires()),
        wakeInterval(endpoint),
        Instant.ofEpochSecond(lease.registered()),
        Freshness.NOT_TRUSTED,
        null,
        null,
        0,
        0,
        resources(endpoint, lease));
  }

  /** Empty if the endpoint was removed. */
  Optional<Standing> standing(MirroredEndpoint endpoint) {
    KeyHistory keys = endpoint.keys();
    if (keys == null) {
      return Optional.empty();
    }
    TrustState trust = trust(keys);
    return Optional.of(new Standing(trust, freshness(endpoint, trust)));
  }

  private TrustState trust(KeyHistory keys) {
    return state.isRevoked(keys.jkt()) ? TrustState.REVOKED : keys.state();
  }

  Freshness freshness(MirroredEndpoint endpoint, TrustState trust) {
    if (trust != TrustState.TRUSTED) {
      return Freshness.NOT_TRUSTED;
    }
    long silence = clock.millis() - endpoint.lastHeard();
    if (silence >= missingAfter(endpoint)) {
      return Freshness.MISSING;
    }
    return silence >= lateAfter(endpoint) ? Freshness.LATE : Freshness.ON_TIME;
  }

  private static @Nullable Instant deadline(
      MirroredEndpoint endpoint, TrustState trust, long silence) {
    return trust == TrustState.TRUSTED
        ? Instant.ofEpochMilli(endpoint.lastHeard() + silence)
        : null;
  }

  /** The silence in milliseconds after which an endpoint is late. */
  private long lateAfter(MirroredEndpoint endpoint) {
    long wake = wakeInterval(endpoint) * 1000;
    return Math.min(wake + Math.max(MIN_GRACE, wake / 2), missingAfter(endpoint));
  }

  /** The silence in milliseconds after which an endpoint is missing. */
  private long missingAfter(MirroredEndpoint endpoint) {
    long intervals = endpoint.values().isEmpty() ? 1 : MISSING_AFTER_INTERVALS;
    return intervals * wakeInterval(endpoint) * 1000;
  }

  /** Empty if the endpoint is not registered or has withdrawn. */
  public Optional<Presence> presence(@Nullable MirroredEndpoint endpoint) {
    KeyHistory keys = endpoint == null ? null : endpoint.keys();
    Lease lease = endpoint == null ? null : endpoint.lease();
    if (endpoint == null || keys == null || lease == null || lease.lifetime() == 0) {
      return Optional.empty();
    }
    boolean revoked = state.isRevoked(keys.jkt());
    return Optional.of(
        new Presence(
            endpoint.id(),
            endpoint.name().ep(),
            endpoint.name().d(),
            keys.state() == TrustState.TRUSTED && !revoked,
            keys.state() == TrustState.PENDING && !revoked || !endpoint.held().keys().isEmpty(),
            endpoint.lastHeard(),
            missingAfter(endpoint)));
  }

  /** Whether the update that follows a value is overdue. */
  boolean isStale(MirroredEndpoint endpoint, StoredValue value) {
    return clock.millis() > value.arrived() + wakeInterval(endpoint) * 1000;
  }

  private List<ResourceView> resources(MirroredEndpoint endpoint, Lease lease) {
    List<ResourceView> views = new ArrayList<>();
    for (Link link : EndpointLinks.parseStored(lease.links())) {
      String path = EndpointLinks.path(link).orElse(null);
      if (path != null) {
        views.add(resource(endpoint, path, link));
      }
    }
    return views;
  }

  private static boolean isWritable(MirroredEndpoint endpoint, String path, Link link) {
    boolean writable = EndpointLinks.isActuator(link);
    for (CommandQueue.Command command : CommandQueue.of(endpoint).commands()) {
      if (command.path().equals(path)) {
        writable =
            switch (command.state()) {
              case CONFIRMED -> true;
              case REFUSED -> writable && command.reason() != NO_SUCH_RESOURCE;
              case QUEUED, FETCHED, EXPIRED, CANCELLED -> writable;
            };
      }
    }
    return writable;
  }

  private ResourceView resource(MirroredEndpoint endpoint, String path, Link link) {
    String type = link.attribute("rt").orElse(null);
    boolean writable = isWritable(endpoint, path, link);
    StoredValue value = endpoint.value(path);
    if (value == null) {
      ResourceControl control = ResourceControl.of(link, null);
      return new ResourceView(
          path, type, null, null, null, null, writable, control, 0, null, Set.of());
    }
    ResolvedRecord last = lastRecord(value);
    return new ResourceView(
        path,
        type,
        last.name(),
        last.unit(),
        last.value(),
        last.sum(),
        writable,
        ResourceControl.of(link, last),
        value.seq(),
        Instant.ofEpochMilli(value.arrived()),
        marks(endpoint, value));
  }

  private Set<ValueMark> marks(MirroredEndpoint endpoint, StoredValue value) {
    Set<ValueMark> marks = EnumSet.noneOf(ValueMark.class);
    if (isStale(endpoint, value)) {
      marks.add(ValueMark.STALE);
    }
    if (value.delayed()) {
      marks.add(ValueMark.DELAYED);
    }
    if (state.isRevoked(value.kid())) {
      marks.add(ValueMark.REVOKED);
    }
    return marks;
  }

  /** The last record of a value's SenML pack, resolved against its arrival. */
  static ResolvedRecord lastRecord(StoredValue value) {
    return value.pack().resolve(value.arrived() / 1000.0).getLast();
  }

  /** The value of a record as text; its sum if it has no value. */
  static String text(ResolvedRecord senmlRecord) {
    Double sum = senmlRecord.sum();
    return senmlRecord.value() == null && sum != null
        ? SenmlPack.decimal(sum)
        : SenmlPack.text(senmlRecord.value());
  }
}
