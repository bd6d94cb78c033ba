package dev.vigil.mirror.read;

import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.wire.WireReader;
import dev.vigil.store.Change;
import dev.vigil.store.Fact;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Translates changes of the store's feed into events and audit entries. */
public final class MirrorEvents {
  /** An escaped surrogate. Jackson wrote the text, and it writes surrogate pairs as UTF-8. */
  private static final Pattern SURROGATE =
      Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\u[dD][89a-fA-F][0-9a-fA-F]{2}");

  private MirrorEvents() {}

  /** The events of a change; empty for changes of other modules. */
  public static List<MirrorEvent> of(Change change) {
    if (change.endpoint().isReserved()) {
      // If a decision about a key concerns an endpoint, a change of the endpoint follows.
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
    boolean ofEndpoint = !change.endpoint().isReserved();
    Map<String, String> members = members(body);
    String kind = members.get("kind");
    return new AuditEntry(
        change.position(),
        change.at(),
        ofEndpoint ? change.id() : null,
        ofEndpoint ? change.endpoint().ep() : null,
        members.getOrDefault("d", change.endpoint().d()),
        members.getOrDefault("what", ""),
        members.getOrDefault("jkt", ""),
        members.getOrDefault("by", ""),
        kind == null
            ? null
            : new AuditEntry.Edit(
                kind,
                members.getOrDefault("record", ""),
                members.get("before"),
                members.get("after")));
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
      case StoreSlots.AUDIT ->
          fact.isNone()
              ? null
              : event(
                  change, MirrorEvent.Kind.TRUST, members(fact.body()).getOrDefault("what", ""));
      case StoreSlots.COMMANDS ->
          fact.isNone() || CommandQueue.read(fact.body()).commands().isEmpty()
              ? null
              : event(change, MirrorEvent.Kind.COMMAND, "commands changed");
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

  /**
   * The string members of an audit entry. If an earlier version wrote half of a surrogate pair, a
   * replacement character is read instead. An entry that cannot be read at all says so.
   */
  private static Map<String, String> members(byte[] body) {
    try {
      return strings(body);
    } catch (SignedObjectException e) {
      String text = new String(body, StandardCharsets.UTF_8);
      try {
        return strings(
            SURROGATE.matcher(text).replaceAll("$1\\\\ufffd").getBytes(StandardCharsets.UTF_8));
      } catch (SignedObjectException again) {
        return Map.of("what", "an entry that this version cannot read");
      }
    }
  }

  private static Map<String, String> strings(byte[] body) {
    Map<String, String> members = new HashMap<>();
    JsonReader json = new JsonReader(new WireReader(body));
    json.object(
        name -> {
          if (json.next() == JsonReader.Kind.STRING) {
            members.put(name, json.string());
          } else {
            json.skip();
          }
        });
    return members;
  }
}
