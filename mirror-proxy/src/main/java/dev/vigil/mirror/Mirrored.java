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
    return new Mirrored(
        change.id(), change.endpoint(), 0, 0, 0, null, null, null, null, null, List.of());
  }

  /** What this change makes of it. */
  Mirrored with(Change change) {
    Mirrored next =
        new Mirrored(
            id,
            name,
            Math.max(high, change.high()),
            change.version(),
            heard,
            lease,
            ring,
            held,
            commands,
            air,
            values);
    for (Fact fact : change.facts()) {
      next = next.with(fact, change);
    }
    return next;
  }

  private Mirrored with(Fact fact, Change change) {
    boolean none = fact.isNone();
    byte[] body = fact.body();
    long at = change.at().toEpochMilli();
    String slot = fact.slot();
    if (slot.startsWith(Slots.VALUE)) {
      String path = slot.substring(Slots.VALUE.length());
      return copy(at, lease, ring, held, commands, air, replaced(path, change.high(), at, body));
    }
    return switch (slot) {
      case Slots.LEASE ->
          copy(at, none ? null : Lease.read(body), ring, held, commands, air, values);
      case Slots.LIFE ->
          lease == null || none
              ? this
              : copy(at, lease.prolongedBy(body), ring, held, commands, air, values);
      case Slots.KEY ->
          copy(heard, lease, none ? null : KeyRing.read(body), held, commands, air, values);
      case Slots.HELD ->
          copy(heard, lease, ring, none ? null : HeldKey.read(body), commands, air, values);
      case Slots.COMMANDS ->
          copy(heard, lease, ring, held, none ? null : CommandQueue.read(body), air, values);
      case Slots.AIR -> copy(heard, lease, ring, held, commands, none ? null : body, values);
      // Slots of others, and the audit trail, which is read from the store.
      default -> this;
    };
  }

  private Mirrored copy(
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
        high,
        version,
        newHeard,
        newLease,
        newRing,
        newHeld,
        newCommands,
        newAir,
        newValues);
  }

  private List<StoredValue> replaced(String path, long seq, long at, byte[] body) {
    List<StoredValue> next = new ArrayList<>(values.size() + 1);
    String shared = path;
    for (StoredValue value : values) {
      if (value.path().equals(path)) {
        shared = value.path();
      } else {
        next.add(value);
      }
    }
    if (body.length > 0) {
      next.add(new StoredValue(shared, seq, at, body));
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
