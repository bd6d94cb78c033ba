package dev.vigil.gateway.publish;

import dev.vigil.directory.Directory;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.gateway.northbound.Backoff;
import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one remote directory in sync with the local one. Every change queues its endpoint. For each
 * endpoint from the queue, a {@link SyncAction} runs, which queues the endpoint again until nothing
 * is left to do.
 */
final class Publisher implements Runnable {
  private static final EndpointName DIRECTORY = PublishedRegistration.STATE;
  private static final Logger log = LoggerFactory.getLogger(Publisher.class);

  /** From two seconds to five minutes. */
  static final Backoff BACKOFF = new Backoff(2_000, 300_000);

  private final RemoteDirectory remote;
  private final String address;
  private final String base;
  private final Directory directory;
  private final Store store;
  private final Clock clock;
  private final RandomGenerator random;

  /** The confirmed registrations by slot; only the feed's thread writes them. */
  private final Map<String, PublishedRegistration> published = new ConcurrentHashMap<>();

  /** Consecutive failures of an endpoint or, under {@link #DIRECTORY}, of the remote directory. */
  private final Map<EndpointName, Integer> failures = new ConcurrentHashMap<>();

  /**
   * The present queue. A thread that has not noticed its end still uses an earlier queue, which is
   * closed.
   */
  private volatile DueQueue queue;

  private volatile State state = State.STARTING;

  /**
   * @param error the last error; null when there is none
   * @param failed time of the last failure
   * @param succeeded time of the last success
   */
  record State(@Nullable String error, @Nullable Instant failed, @Nullable Instant succeeded) {
    static final State STARTING = new State(null, null, null);
  }

  /**
   * @param base scheme and authority of this gateway; empty: the source address of the requests
   */
  Publisher(
      RemoteDirectory remote,
      String base,
      Directory directory,
      Store store,
      Clock clock,
      RandomGenerator random) {
    this.remote = remote;
    this.address = remote.address();
    this.base = base;
    this.directory = directory;
    this.store = store;
    this.queue = new DueQueue(clock);
    this.clock = clock;
    this.random = random;
  }

  /** Queues the endpoints of a change; called on the feed's thread. */
  void onChange(Change change) {
    try {
      for (Fact fact : change.facts()) {
        if (fact.slot().equals(Registration.SLOT)) {
          queue.now(change.endpoint());
        } else if (PublishedRegistration.isState(change.endpoint(), fact)) {
          remember(fact);
        }
      }
    } catch (RuntimeException e) {
      // The feed must continue; an unreadable registration is published again.
      log.error("cannot read change {} of {}; skipped", change.position(), change.endpoint(), e);
    }
  }

  private void remember(Fact fact) {
    if (fact.isNone()) {
      published.remove(fact.slot());
      return;
    }
    PublishedRegistration registration = PublishedRegistration.read(fact.body());
    if (registration.directory().equals(address)) {
      published.put(fact.slot(), registration);
      queue.now(registration.name());
    }
  }

  @Override
  public void run() {
    DueQueue mine = queue;
    try {
      while (true) {
        EndpointName name = mine.take();
        if (name == null) {
          return;
        }
        synchronize(name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void synchronize(EndpointName name) throws InterruptedException {
    try {
      String slot = PublishedRegistration.slot(address, name);
      perform(name, SyncAction.next(desired(name), published.get(slot), seconds()));
    } catch (RemoteDirectory.RefusedException e) {
      // Because the directory answers, only this endpoint waits.
      delay(name, e);
    } catch (IOException | StoreException e) {
      failed(name, e);
      queue.pause(clock.millis() + backoff(DIRECTORY));
      queue.now(name);
    } catch (RuntimeException e) {
      // Something about this endpoint alone cannot be sent.
      delay(name, e);
    }
  }

  private void delay(EndpointName name, Exception e) {
    failed(name, e);
    queue.at(name, clock.millis() + backoff(name));
  }

  private Optional<DesiredRegistration> desired(EndpointName name) {
    return directory
        .registration(name)
        .flatMap(
            entry -> DesiredRegistration.of(entry, directory.links(entry, base), base, seconds()));
  }

  private void perform(EndpointName name, SyncAction action)
      throws IOException, InterruptedException {
    switch (action) {
      case SyncAction.Nothing() -> recovered(name);
      case SyncAction.Wait(long until) -> {
        recovered(name);
        queue.at(name, until * 1000);
      }
      case SyncAction.Register(DesiredRegistration desired, long lifetime) -> {
        long until = seconds() + lifetime;
        List<String> location = remote.register(desired, lifetime);
        confirmed(
            name,
            new PublishedRegistration(address, name, location, desired.digest(), lifetime, until)
                .toFact());
      }
      case SyncAction.Renew(PublishedRegistration before, long lifetime) ->
          renew(name, before, lifetime);
      case SyncAction.Remove(PublishedRegistration before) -> remove(name, before);
      case SyncAction.Forget(PublishedRegistration before) -> confirmed(name, before.toNone());
    }
  }

  private void renew(EndpointName name, PublishedRegistration before, long lifetime)
      throws IOException, InterruptedException {
    long until = seconds() + lifetime;
    try {
      remote.renew(before.location(), lifetime);
    } catch (RemoteDirectory.RefusedException e) {
      lost(name, before, e);
      return;
    }
    confirmed(
        name,
        new PublishedRegistration(address, name, before.location(), before.shown(), lifetime, until)
            .toFact());
  }

  private void remove(EndpointName name, PublishedRegistration before)
      throws IOException, InterruptedException {
    try {
      remote.remove(before.location());
    } catch (RemoteDirectory.RefusedException e) {
      lost(name, before, e);
      return;
    }
    confirmed(name, before.toNone());
  }

  /** Handles 4.04: the directory has lost the registration, so the endpoint is registered again. */
  private void lost(
      EndpointName name, PublishedRegistration before, RemoteDirectory.RefusedException e)
      throws RemoteDirectory.RefusedException {
    if (!e.code().equals("4.04")) {
      throw e;
    }
    confirmed(name, before.toNone());
  }

  /** Stores a confirmed registration; {@link #onChange} then applies it. */
  private void confirmed(EndpointName name, Fact fact) {
    Instant now = clock.instant();
    try {
      store
          .submit(
              new Batch(
                  PublishedRegistration.STATE,
                  now,
                  OptionalLong.empty(),
                  OptionalLong.empty(),
                  List.of(fact)))
          .join();
    } catch (CompletionException e) {
      throw new StoreException("cannot store the registration that " + address + " confirmed", e);
    }
    failures.remove(DIRECTORY);
    state = new State(state.error(), state.failed(), now);
    recovered(name);
    queue.now(name);
  }

  /** Ends the failures of an endpoint, for instance because it was removed. */
  private void recovered(EndpointName name) {
    failures.remove(name);
    if (state.error() != null && failures.isEmpty()) {
      log.info("the directory {} accepts registrations again", address);
      state = new State(null, state.failed(), state.succeeded());
    }
  }

  private long backoff(EndpointName name) {
    return BACKOFF.after(failures.merge(name, 1, Integer::sum), random);
  }

  private void failed(EndpointName name, Exception e) {
    String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    String error = name + ": " + reason;
    if (state.error() == null) {
      log.warn("the directory {} does not accept a registration; will retry: {}", address, error);
    }
    state = new State(error, clock.instant(), state.succeeded());
  }

  private long seconds() {
    return clock.instant().getEpochSecond();
  }

  String address() {
    return address;
  }

  State state() {
    return state;
  }

  /** Number of this gateway's endpoints that the remote directory shows. */
  int shown() {
    long now = seconds();
    return (int) published.values().stream().filter(one -> one.until() > now).count();
  }

  /** Forgets everything, before the feed is read from its beginning and {@link #run} is called. */
  void open() {
    published.clear();
    failures.clear();
    queue = new DueQueue(clock);
  }

  /** Makes {@link #run} return. */
  void close() {
    queue.close();
  }
}
