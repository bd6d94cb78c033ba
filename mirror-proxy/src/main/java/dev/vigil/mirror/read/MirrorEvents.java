package dev.vigil.mirror.read;

import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.wire.WireReader;
import dev.vigil.store.Change;
import dev.vigil.store.Fact;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Translates changes of the store's feed into events and audit entries. */
public final class MirrorEvents {
  private MirrorEvents() {}

  /** The events of a change; none for changes of other modules. */
  public static List<MirrorEvent> of(Change change) {
    if (change.endpoint().ep().equals(StoreSlots.TRUST)) {
      // A decision about a key that concerns an endpoint is followed by a change of the endpoint.
      return List.of();
    }
    List<MirrorEvent> events = new ArrayList<>();
    for (Fact fact : change.facts()) {
      MirrorEvent event = event(change, fact);
      if (event != null) {
        events.add(event);
      }
    }
    return events;
  }

  /** The audit entries of a change. */
  public static List<AuditEntry> auditEntries(Change change) {
    return change.facts().stream()
        .filter(fact -> fact.slot().equals(StoreSlots.AUDIT) && !fact.isNone())
        .map(fact -> auditEntry(change, fact.body()))
        .toList();
  }

  private static AuditEntry auditEntry(Change change, byte[] body) {
    boolean ofEndpoint = !change.endpoint().ep().equals(StoreSlots.TRUST);
    return new AuditEntry(
        change.position(),
        change.at(),
        ofEndpoint ? change.id() : null,
        ofEndpoint ? change.endpoint().ep() : null,
        change.endpoint().d(),
        member(body, "what"),
        member(body, "jkt"),
        member(body, "by"));
  }

  private static @Nullable MirrorEvent event(Change change, Fact fact) {
    String slot = fact.slot();
    if (slot.startsWith(StoreSlots.VALUE) && !fact.isNone()) {
      String path = slot.substring(StoreSlots.VALUE.length());
      long at = change.at().toEpochMilli();
      StoredValue value = new StoredValue(path, change.high(), at, fact.body());
      String text = EndpointViews.text(EndpointViews.lastRecord(value));
      return event(change, MirrorEvent.Kind.UPDATED, path, change.high(), text);
    }
    return switch (slot) {
      case StoreSlots.LEASE ->
          fact.isNone() || Lease.read(fact.body()).lifetime() == 0
              ? event(change, MirrorEvent.Kind.WITHDRAWN, "withdrawn")
              : event(change, MirrorEvent.Kind.REGISTERED, "registered");
      case StoreSlots.AUDIT -> event(change, MirrorEvent.Kind.TRUST, member(fact.body(), "what"));
      case StoreSlots.COMMANDS ->
          fact.isNone() ? null : event(change, MirrorEvent.Kind.COMMAND, "commands changed");
      default -> null;
    };
  }

  private static MirrorEvent event(Change change, MirrorEvent.Kind kind, String text) {
    return event(change, kind, null, 0, text);
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

  /** A string member of a JSON object; empty when it is missing. */
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
