package dev.vigil.mirror;

import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.RecoveredValue;
import dev.vigil.mirror.model.Recovery;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RefusalMapper;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.state.MirrorContext;
import dev.vigil.mirror.state.RecoveredReadings;
import dev.vigil.mirror.state.RecoveredReadings.Gap;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Recovers readings that the mirror missed while it was unreachable and that the endpoint's block
 * store still holds.
 */
public final class MirrorRecovery {
  private final MirrorContext context;
  private final RecoveredReadings recovered;

  MirrorRecovery(MirrorContext context, RecoveredReadings recovered) {
    this.context = context;
    this.recovered = recovered;
  }

  /** How far the block stores of an endpoint were searched; empty before the first time. */
  public Optional<Recovery> recovery(String id) {
    MirroredEndpoint endpoint = context.state().byId(id);
    return endpoint == null ? Optional.empty() : recovered.recovery(endpoint.name());
  }

  /** The endpoint to which the block store of a mote belongs. */
  public Optional<EndpointName> owner(String mote) {
    return recovered.owner(mote);
  }

  /**
   * The gaps without any accepted update of an endpoint that were not yet searched, oldest first.
   *
   * @param after only gaps that ended later
   */
  public List<Gap> gaps(String id, Instant after, Duration longerThan) {
    MirroredEndpoint endpoint = context.state().byId(id);
    Instant through = recovery(id).map(Recovery::through).orElse(Instant.EPOCH);
    Instant bound = after.isAfter(through) ? after : through;
    return endpoint == null ? List.of() : recovered.gaps(endpoint, bound, longerThan);
  }

  /** The sequence numbers of a resource's kept updates that arrived within a period. */
  public Set<Long> numbers(String id, String path, Instant from, Instant to) {
    MirroredEndpoint endpoint = context.state().byId(id);
    return endpoint == null ? Set.of() : recovered.numbers(endpoint.name(), path, from, to);
  }

  /** The number of recovered readings that each resource of an endpoint keeps. */
  public int kept(String id) {
    MirroredEndpoint endpoint = context.state().byId(id);
    return endpoint == null ? 1 : recovered.kept(endpoint.name());
  }

  /**
   * Stores readings together with how far the block store was searched, all or nothing.
   *
   * @param values by the path of their resource, of each at most {@link #kept}, together fewer than
   *     1000
   * @return fails with an {@code ErrorResponseException}: 4.04 for an unknown endpoint, 4.03 when
   *     the block store belongs to another one, 5.03
   */
  public CompletableFuture<Void> add(
      String id, Recovery recovery, Map<String, ? extends Collection<RecoveredValue>> values) {
    return RefusalMapper.uncounted(
        () ->
            context
                .commits()
                .commit(() -> recovered.batch(require(id, recovery.mote()), recovery, values))
                .thenAccept(change -> {}));
  }

  /**
   * Assigns the block store of a mote to an endpoint, by an operator's decision. An earlier owner
   * loses the readings recovered from the block store; its signed values stay.
   *
   * @param mote the address of the mote
   * @return fails with an {@code ErrorResponseException}: 4.04 for an unknown endpoint, 5.03
   */
  public CompletableFuture<Void> reassign(String mote, String id, String actor) {
    return RefusalMapper.uncounted(
        () -> {
          context.require(id);
          return release(mote, id, actor)
              .thenCompose(released -> context.commits().commit(() -> assignment(mote, id, actor)))
              .thenAccept(change -> {});
        });
  }

  private CompletableFuture<?> release(String mote, String id, String actor) {
    MirroredEndpoint owner = owner(mote).map(context.state()::byName).orElse(null);
    return owner == null || owner.id().equals(id)
        ? CompletableFuture.completedFuture(null)
        : context
            .commits()
            .commit(
                () -> {
                  MirroredEndpoint endpoint = context.require(owner.id());
                  List<Fact> facts = new ArrayList<>(recovered.removal(endpoint.name()));
                  facts.add(context.batches().audit("lost the block store of " + mote, "", actor));
                  return context.batches().decision(endpoint, OptionalLong.empty(), facts);
                });
  }

  private Batch assignment(String mote, String id, String actor) {
    MirroredEndpoint endpoint = context.require(id);
    Recovery before = recovered.recovery(endpoint.name()).orElse(null);
    List<Fact> facts = new ArrayList<>();
    if (before != null && !before.mote().equals(mote)) {
      facts.addAll(recovered.removal(endpoint.name()));
      facts.removeIf(fact -> fact.slot().equals(StoreSlots.RECOVERY));
      before = null;
    }
    if (before == null) {
      facts.add(new Fact(StoreSlots.RECOVERY, 1, new Recovery(mote, Instant.EPOCH).body()));
    }
    facts.add(context.batches().audit("got the block store of " + mote, "", actor));
    return context.batches().decision(endpoint, OptionalLong.empty(), facts);
  }

  private MirroredEndpoint require(String id, String mote) {
    MirroredEndpoint endpoint = context.require(id);
    boolean isOwner = owner(mote).map(endpoint.name()::equals).orElse(true);
    if (!isOwner) {
      throw new RequestRefused(Reason.POLICY, "the block store belongs to another endpoint");
    }
    return endpoint;
  }
}
