package dev.vigil.mirror;

import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One endpoint as the feed left it. Never changed: each change of the feed makes a new one.
 *
 * @param heard when the last batch with a registration or value came, unix time in milliseconds
 * @param air the sealed keys of encrypted updates, as stored
 * @param values the last of each resource
 */
record Mirrored(
    String id,
    EndpointName name,
    long high,
    long version,
    long heard,
    @Nullable Lease lease,
    @Nullable KeyRing ring,
    @Nullable HeldKey held,
    @Nullable CommandQueue commands,
    byte @Nullable [] air,
    List<StoredValue> values) {

  static Mirrored of(Change change) {
    EndpointName told = change.endpoint();
    EndpointName name = new EndpointName(told.ep(), told.d().intern());
    return new Mirrored(change.id(), name, 0, 0, 0, null, null, null, null, null, List.of());
  }

  /** What this change makes of it. */
  Mirrored with(Change change) {
    Mirrored next = this;
    for (Fact fact : change.facts()) {
      next = next.with(fact, change);
    }
    return next == this ? copy(change, heard, lease, ring, held, commands, air, values) : next;
  }

  private Mirrored with(Fact fact, Change change) {
    boolean none = fact.isNone();
    byte[] body = fact.body();
    long at = change.at().toEpochMilli();
    String slot = fact.slot();
    if (slot.startsWith(Slots.VALUE)) {
      return copy(
          change, at, lease, ring, held, commands, air, replaced(slot, change.high(), at, body));
    }
    return switch (slot) {
      case Slots.LEASE ->
          copy(change, at, none ? null : Lease.read(body), ring, held, commands, air, values);
      case Slots.LIFE ->
          lease == null || none
              ? this
              : copy(change, at, lease.prolongedBy(body), ring, held, commands, air, values);
      case Slots.KEY ->
          copy(change, heard, lease, none ? null : KeyRing.read(body), held, commands, air, values);
      case Slots.HELD ->
          copy(change, heard, lease, ring, none ? null : HeldKey.read(body), commands, air, values);
      case Slots.COMMANDS ->
          copy(
              change, heard, lease, ring, held, none ? null : CommandQueue.read(body), air, values);
      case Slots.AIR ->
          copy(change, heard, lease, ring, held, commands, none ? null : body, values);
      // Slots of others, and the audit trail, which is read from the store.
      default -> this;
    };
  }

  private Mirrored copy(
      Change change,
      long newHeard,
      @Nullable Lease newLease,
      @Nullable KeyRing newRing,
      @Nullable HeldKey newHeld,
      @Nullable CommandQueue newCommands,
      byte @Nullable [] newAir,
      List<StoredValue> newValues) {
    return new Mirrored(
        id,
        name,
        Math.max(high, change.high()),
        change.version(),
        newHeard,
        newLease,
        newRing,
        newHeld,
        newCommands,
        newAir,
        newValues);
  }

  /** Paths are the same in thousands of endpoints, so each is kept once. */
  private List<StoredValue> replaced(String slot, long seq, long at, byte[] body) {
    List<StoredValue> next = new ArrayList<>(values.size() + 1);
    @Nullable String path = null;
    for (StoredValue value : values) {
      if (slot.length() == Slots.VALUE.length() + value.path().length()
          && slot.endsWith(value.path())) {
        path = value.path();
      } else {
        next.add(value);
      }
    }
    if (body.length > 0) {
      String kept = path == null ? slot.substring(Slots.VALUE.length()).intern() : path;
      next.add(new StoredValue(kept, seq, at, body));
    }
    return List.copyOf(next);
  }

  @Nullable StoredValue value(String path) {
    for (StoredValue value : values) {
      if (value.path().equals(path)) {
        return value;
      }
    }
    return null;
  }

  /** Whether the registration still holds. */
  boolean live(long nowSeconds) {
    return lease != null && ring != null && nowSeconds < lease.expires();
  }

  boolean published(long nowSeconds) {
    return live(nowSeconds) && ring != null && ring.state() == TrustState.TRUSTED;
  }
}
