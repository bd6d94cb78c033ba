package dev.vigil.mirror;

import dev.vigil.directory.link.Link;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.Fact;
import dev.vigil.mirror.senml.Measurement;
import dev.vigil.mirror.senml.Pack;
import dev.vigil.mirror.senml.Value;
import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.WireReader;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What operators and applications see of the mirror's state. */
final class Views {
  private static final int MISSING_AFTER = 3;

  private final Memory memory;
  private final Map<String, Domain> domains;
  private final Clock clock;

  Views(Memory memory, Map<String, Domain> domains, Clock clock) {
    this.memory = memory;
    this.domains = domains;
    this.clock = clock;
  }

  static Instant instant(long seconds) {
    return Instant.ofEpochSecond(seconds);
  }

  /** Seconds between updates: as told, else as the domain assumes. */
  long wake(Mirrored known) {
    Lease lease = known.lease();
    if (lease != null && lease.wake() != Lease.UNKNOWN) {
      return lease.wake();
    }
    Domain domain = domains.get(known.name().d());
    return domain == null ? 0 : domain.defaultWake().toSeconds();
  }

  static boolean isWhole(Mirrored known) {
    return known.ring() != null && known.lease() != null;
  }

  EndpointView endpoint(Mirrored known) {
    KeyRing ring = known.ring();
    Lease lease = known.lease();
    if (ring == null || lease == null) {
      throw new IllegalArgumentException("an endpoint that was forgotten");
    }
    CommandQueue queue = known.commands();
    HeldKey held = known.held();
    return new EndpointView(
        known.id(),
        known.name().ep(),
        known.name().d(),
        lease.type(),
        memory.isRevoked(ring.jkt()) ? TrustState.REVOKED : ring.state(),
        ring.jkt(),
        ring.note() != null ? ring.note() : held == null ? null : held.why(),
        held == null ? null : held.key().thumbprint(),
        instant(lease.registered()),
        instant(lease.expires()),
        wake(known),
        Instant.ofEpochMilli(known.heard()),
        freshness(known),
        known.high(),
        queue == null ? 0 : queue.waiting(clock.instant().getEpochSecond()).size(),
        resources(known, lease));
  }

  /** One that is known from a plain registration alone. */
  EndpointView unproven(Unproven.Waiting waiting) {
    Claim claim = waiting.claim();
    Lease lease = claim.lease();
    Mirrored empty =
        new Mirrored(
            waiting.id(),
            claim.name(),
            0,
            0,
            lease.registered() * 1000,
            lease,
            null,
            null,
            null,
            null,
            List.of());
    return new EndpointView(
        waiting.id(),
        claim.name().ep(),
        claim.name().d(),
        lease.type(),
        TrustState.UNPROVEN,
        claim.jkt(),
        "waits for its first update",
        null,
        instant(lease.registered()),
        instant(waiting.until()),
        wake(empty),
        instant(lease.registered()),
        freshness(empty),
        0,
        0,
        resources(empty, lease));
  }

  private Freshness freshness(Mirrored known) {
    long silent = clock.millis() - known.heard();
    long wakeMillis = wake(known) * 1000;
    if (known.values().isEmpty() && silent > wakeMillis) {
      return Freshness.MISSING;
    }
    return silent <= wakeMillis
        ? Freshness.ON_TIME
        : silent <= MISSING_AFTER * wakeMillis ? Freshness.LATE : Freshness.MISSING;
  }

  boolean stale(Mirrored known, StoredValue value) {
    return clock.millis() > value.arrived() + wake(known) * 1000;
  }

  private List<ResourceView> resources(Mirrored known, Lease lease) {
    List<ResourceView> views = new ArrayList<>();
    for (Link link : Links.stored(lease.links())) {
      String path = Links.path(link).orElse(null);
      if (path != null) {
        views.add(resource(known, path, link.attribute("rt").orElse(null)));
      }
    }
    return views;
  }

  private ResourceView resource(Mirrored known, String path, @Nullable String type) {
    StoredValue value = known.value(path);
    if (value == null) {
      return new ResourceView(path, type, null, null, false, 0, null, Set.of());
    }
    Measurement last = last(value);
    return new ResourceView(
        path,
        type,
        last.unit(),
        text(last),
        last.value() instanceof Value.Number,
        value.seq(),
        Instant.ofEpochMilli(value.arrived()),
        marks(known, value));
  }

  private Set<Mark> marks(Mirrored known, StoredValue value) {
    Set<Mark> marks = EnumSet.noneOf(Mark.class);
    if (stale(known, value)) {
      marks.add(Mark.STALE);
    }
    if (value.delayed()) {
      marks.add(Mark.DELAYED);
    }
    if (memory.isRevoked(value.kid())) {
      marks.add(Mark.REVOKED);
    }
    return marks;
  }

  static Measurement last(StoredValue value) {
    return value.pack().resolve(value.arrived() / 1000.0).getLast();
  }

  static String text(Measurement measurement) {
    Double sum = measurement.sum();
    return measurement.value() == null && sum != null
        ? Pack.decimal(sum)
        : Pack.text(measurement.value());
  }

  /** What one change of the feed means to those who watch the mirror. */
  static List<MirrorEvent> events(Change change) {
    List<MirrorEvent> events = new ArrayList<>();
    if (change.endpoint().ep().equals(Slots.TRUST)) {
      // Keys apart from endpoints: what they mean to one follows as a change of its own.
      return events;
    }
    for (Fact fact : change.facts()) {
      MirrorEvent event = event(change, fact);
      if (event != null) {
        events.add(event);
      }
    }
    return events;
  }

  /** The decisions that a change brought. */
  static List<Decision> decisions(Change change) {
    boolean apart = change.endpoint().ep().equals(Slots.TRUST);
    return change.facts().stream()
        .filter(fact -> fact.slot().equals(Slots.AUDIT) && !fact.isNone())
        .map(
            fact ->
                new Decision(
                    change.position(),
                    change.at(),
                    apart ? null : change.id(),
                    apart ? null : change.endpoint().ep(),
                    change.endpoint().d(),
                    member(fact.body(), "what"),
                    member(fact.body(), "jkt"),
                    member(fact.body(), "by")))
        .toList();
  }

  private static @Nullable MirrorEvent event(Change change, Fact fact) {
    String slot = fact.slot();
    if (slot.startsWith(Slots.VALUE) && !fact.isNone()) {
      String path = slot.substring(Slots.VALUE.length());
      StoredValue value =
          new StoredValue(path, change.high(), change.at().toEpochMilli(), fact.body());
      return event(change, MirrorEvent.Kind.UPDATED, path, change.high(), text(last(value)));
    }
    return switch (slot) {
      case Slots.LEASE ->
          fact.isNone() || Lease.read(fact.body()).lifetime() == 0
              ? event(change, MirrorEvent.Kind.WITHDRAWN, null, 0, "withdrawn")
              : event(change, MirrorEvent.Kind.REGISTERED, null, 0, "registered");
      case Slots.AUDIT ->
          event(change, MirrorEvent.Kind.TRUST, null, 0, member(fact.body(), "what"));
      case Slots.COMMANDS ->
          fact.isNone()
              ? null
              : event(change, MirrorEvent.Kind.COMMAND, null, 0, "commands changed");
      default -> null;
    };
  }

  private static MirrorEvent event(
      Change change, MirrorEvent.Kind kind, @Nullable String path, long seq, String text) {
    return new MirrorEvent(
        change.position(),
        kind,
        change.id(),
        change.endpoint().ep(),
        change.endpoint().d(),
        change.at(),
        path,
        seq,
        text);
  }

  private static String member(byte[] body, String wanted) {
    String[] found = {""};
    JsonReader json = new JsonReader(new WireReader(body));
    json.object(
        name -> {
          if (name.equals(wanted)) {
            found[0] = json.string();
          } else {
            json.skip();
          }
        });
    return found[0];
  }
}
