package dev.vigil.gateway.fetch;

import dev.vigil.border.associations.AssociationStatus;
import dev.vigil.border.blocks.StoredBlock;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.server.ClientRequest;
import dev.vigil.coap.server.ClientResponse;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.MirrorRecovery;
import dev.vigil.mirror.read.MirrorEvent;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The backfill of the simulated month: what {@link Backfill} does, on the month's thread. Only
 * {@link #heard} is called on the store's.
 */
public final class FetchOfMonth {
  private final BlockInbox inbox = new BlockInbox();
  private final BackfillSchedule schedule = new BackfillSchedule();
  private final Queue<String> due = new ConcurrentLinkedQueue<>();
  private final MirrorQueries mirror;
  private final GapFiller filler;

  /**
   * @param client sends a request and lets time pass until it is answered
   */
  public FetchOfMonth(
      Function<ClientRequest, CompletableFuture<ClientResponse>> client,
      Supplier<List<AssociationStatus>> associations,
      MirrorQueries mirror,
      MirrorRecovery recovery) {
    this.mirror = mirror;
    StoredReadings readings =
        new StoredReadings(
            client,
            associations,
            inbox,
            store -> CompletableFuture.completedFuture(false),
            // Time passes while the client waits: a block that has not arrived by then is lost.
            0);
    this.filler = new GapFiller(readings::fetch, readings::stores, mirror, recovery);
  }

  /** Takes a block of any mote. */
  public void received(StoredBlock block) {
    inbox.received(block);
  }

  /** Records an event of the mirror. */
  public void heard(MirrorEvent event) {
    if (event.kind() == MirrorEvent.Kind.UPDATED && schedule.heard(event.id(), event.at())) {
      due.add(event.id());
    }
  }

  /** The next endpoint that must be asked; empty if there is none. */
  public Optional<String> next() {
    return Optional.ofNullable(due.poll());
  }

  /** Asks an endpoint for readings that the mirror lacks, and returns how many were stored. */
  public int fill(String id) {
    Optional<Ipv6Address> mote = Backfill.mote(mirror, id);
    if (mote.isEmpty()) {
      schedule.succeeded(id);
      return 0;
    }
    try {
      GapFiller.Outcome outcome = filler.fill(id, mote.get());
      if (outcome.refusal() != null) {
        schedule.failed(id);
      } else if (outcome.more()) {
        due.add(id);
      } else {
        schedule.succeeded(id);
      }
      return outcome.readings();
    } catch (ErrorResponseException e) {
      schedule.failed(id);
      return 0;
    }
  }
}
