package dev.vigil.mirror.registration;

import dev.vigil.directory.publishing.Registration;
import dev.vigil.mirror.model.DirectoryEntry;
import dev.vigil.mirror.model.EndpointSnapshot;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.state.MirrorContext;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.util.List;

/** Reads the state of an endpoint name from the mirror's state, or else from the store. */
public final class SnapshotReader {
  private final Store store;
  private final MirrorContext context;
  private final MirrorState state;

  public SnapshotReader(Store store, MirrorContext context) {
    this.store = store;
    this.context = context;
    this.state = context.state();
  }

  /** Blocks on the store unless the mirror publishes an endpoint of that name. */
  EndpointSnapshot read(EndpointName name) {
    MirroredEndpoint endpoint = state.byName(name);
    if (endpoint != null) {
      return new EndpointSnapshot(
          endpoint,
          endpoint.high(),
          endpoint.version(),
          endpoint.isPublished(context.now()) ? DirectoryEntry.NONE : directoryEntry(name));
    }
    Store.Endpoint stored = store.endpoint(name).orElse(null);
    if (stored == null) {
      return new EndpointSnapshot(null, state.floor(), 0, DirectoryEntry.NONE);
    }
    long high = Math.max(stored.high(), state.floor());
    return new EndpointSnapshot(null, high, stored.version(), directoryEntry(name));
  }

  private DirectoryEntry directoryEntry(EndpointName name) {
    List<Store.HistoryEntry> entries = store.history(name, Registration.SLOT, -1, 1);
    if (entries.isEmpty() || entries.getLast().body().length == 0) {
      return DirectoryEntry.NONE;
    }
    Store.HistoryEntry last = entries.getLast();
    Registration registration = Registration.fromFact(last.body());
    if (!last.at().plusSeconds(registration.lifetime()).isAfter(context.clock().instant())) {
      // An entry stays in the store after its lifetime, but its name is free.
      return DirectoryEntry.NONE;
    }
    return switch (registration.origin()) {
      case Registration.Published published -> DirectoryEntry.NONE;
      case Registration.Direct direct ->
          direct.registrant().isStranger() ? DirectoryEntry.OF_STRANGER : DirectoryEntry.OF_OWNER;
    };
  }
}
