package dev.vigil.mirror.model;

import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one endpoint after a change of the feed. Each change creates a new object.
 *
 * @param high H, the highest accepted sequence number
 * @param version of the endpoint in the store, for compare-and-set
 * @param lastHeard arrival of the last accepted registration or update, unix time in milliseconds
 * @param held other keys that ask for the name
 * @param sealedKeys the sealed keys of encrypted updates, as stored
 * @param values the last value of each resource
 */
public record MirroredEndpoint(
    String id,
    EndpointName name,
    long high,
    long version,
    long lastHeard,
    @Nullable Lease lease,
    @Nullable KeyHistory keys,
    HeldKeys held,
    @Nullable CommandQueue commands,
    byte @Nullable [] sealedKeys,
    List<StoredValue> values) {

  /** An endpoint of which only the name is known. */
  public static MirroredEndpoint of(String id, EndpointName name) {
    // The same few domains occur in all names, so each text is kept only once.
    EndpointName interned = new EndpointName(name.ep(), name.d().intern());
    return new MirroredEndpoint(
        id, interned, 0, 0, 0, null, null, HeldKeys.NONE, null, null, List.of());
  }

  /** The endpoint with its numbers raised to at least the floor. */
  public MirroredEndpoint raisedTo(long floor) {
    CommandQueue queue = commands == null ? CommandQueue.EMPTY : commands;
    MirroredEndpoint raised = withVersion(Math.max(high, floor), version);
    return queue.last() >= floor
        ? raised
        : raised.withCommands(new CommandQueue(floor, queue.commands()));
  }

  /** The endpoint after a change. */
  public MirroredEndpoint with(Change change) {
    MirroredEndpoint next = withVersion(Math.max(high, change.high()), change.version());
    for (Fact fact : change.facts()) {
      next = next.with(fact, change);
    }
    return next;
  }

  private MirroredEndpoint with(Fact fact, Change change) {
    boolean none = fact.isNone();
    byte[] body = fact.body();
    long at = change.at().toEpochMilli();
    String slot = fact.slot();
    if (slot.startsWith(StoreSlots.VALUE)) {
      return withValues(valuesAfter(slot, change.high(), at, body), at);
    }
    return switch (slot) {
      case StoreSlots.LEASE -> withLease(none ? null : Lease.read(body), at);
      case StoreSlots.LIFE -> lease == null || none ? this : withLease(lease.prolongedBy(body), at);
      case StoreSlots.KEY -> withKeys(none ? null : KeyHistory.read(body));
      case StoreSlots.HELD -> withHeld(none ? HeldKeys.NONE : HeldKeys.read(body));
      case StoreSlots.COMMANDS -> withCommands(none ? null : CommandQueue.read(body));
      case StoreSlots.UPDATE_KEYS -> withSealedKeys(none ? null : body);
      // Slots of other modules, and the audit trail, which is read from the store.
      default -> this;
    };
  }

  private MirroredEndpoint withVersion(long newHigh, long newVersion) {
    return new MirroredEndpoint(
        id, name, newHigh, newVersion, lastHeard, lease, keys, held, commands, sealedKeys, values);
  }

  /**
   * @param at arrival of the registration, unix time in milliseconds
   */
  public MirroredEndpoint withLease(@Nullable Lease newLease, long at) {
    return new MirroredEndpoint(
        id, name, high, version, at, newLease, keys, held, commands, sealedKeys, values);
  }

  private MirroredEndpoint withKeys(@Nullable KeyHistory newKeys) {
    return new MirroredEndpoint(
        id, name, high, version, lastHeard, lease, newKeys, held, commands, sealedKeys, values);
  }

  private MirroredEndpoint withHeld(HeldKeys newHeld) {
    return new MirroredEndpoint(
        id, name, high, version, lastHeard, lease, keys, newHeld, commands, sealedKeys, values);
  }

  private MirroredEndpoint withCommands(@Nullable CommandQueue newCommands) {
    return new MirroredEndpoint(
        id, name, high, version, lastHeard, lease, keys, held, newCommands, sealedKeys, values);
  }

  private MirroredEndpoint withSealedKeys(byte @Nullable [] newKeys) {
    return new MirroredEndpoint(
        id, name, high, version, lastHeard, lease, keys, held, commands, newKeys, values);
  }

  private MirroredEndpoint withValues(List<StoredValue> newValues, long at) {
    return new MirroredEndpoint(
        id, name, high, version, at, lease, keys, held, commands, sealedKeys, newValues);
  }

  private List<StoredValue> valuesAfter(String slot, long seq, long at, byte[] body) {
    List<StoredValue> next = new ArrayList<>(values.size() + 1);
    @Nullable String path = null;
    for (StoredValue value : values) {
      if (slot.length() == StoreSlots.VALUE.length() + value.path().length()
          && slot.endsWith(value.path())) {
        path = value.path();
      } else {
        next.add(value);
      }
    }
    if (body.length > 0) {
      // Thousands of endpoints have the same paths, so each text is kept only once.
      String kept = path == null ? slot.substring(StoreSlots.VALUE.length()).intern() : path;
      next.add(new StoredValue(kept, seq, at, body));
    }
    return List.copyOf(next);
  }

  /** The last value of a resource. */
  public @Nullable StoredValue value(String path) {
    for (StoredValue value : values) {
      if (value.path().equals(path)) {
        return value;
      }
    }
    return null;
  }

  /** Whether the registration has not expired. */
  public boolean isLive(long nowSeconds) {
    return lease != null && keys != null && nowSeconds < lease.expires();
  }

  /** Whether the endpoint has both a registration and a key; a removed endpoint has neither. */
  public boolean isRegistered() {
    return keys != null && lease != null;
  }

  /** Whether only its name and its numbers are known. */
  public boolean isEmpty() {
    return lease == null
        && keys == null
        && held.isEmpty()
        && CommandQueue.of(this).commands().isEmpty()
        && sealedKeys == null
        && values.isEmpty();
  }

  /**
   * Whether the directory's fact of the name is the mirror's. After the registration has ended,
   * another client may register the name in the directory itself.
   */
  public boolean isPublished(long nowSeconds) {
    return isLive(nowSeconds) && keys != null && keys.state() == TrustState.TRUSTED;
  }

  /** Whether the endpoint's present key has this thumbprint. */
  public boolean hasKey(String jkt) {
    return keys != null && keys.jkt().equals(jkt);
  }
}
