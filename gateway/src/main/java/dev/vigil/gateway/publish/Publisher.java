package dev.vigil.gateway.publish;

import dev.vigil.directory.Directory;
import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Store;
import dev.vigil.directory.state.StoreException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
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
 * Keeps one other directory in step with ours. Whatever may have changed is noted; each note leads
 * to a {@link Step}, and that to another note until nothing is left to do.
 */
final class Publisher implements Runnable {
  private static final EndpointName WHOLE = Published.STATE;
  private static final Logger log = LoggerFactory.getLogger(Publisher.class);

  private final String address;
  private final Remote remote;
  private final String base;
  private final Directory directory;
  private final Store store;
  private final Agenda agenda;
  private final Clock clock;
  private final RandomGenerator random;

  /** What the other directory has confirmed; written by the feed's thread. */
  private final Map<EndpointName, Published> published = new ConcurrentHashMap<>();

  /** Failures in a row, of an endpoint or ({@link #WHOLE}) of the directory as such. */
  private final Map<EndpointName, Integer> failures = new HashMap<>();

  private volatile State state = State.STARTING;

  /**
   * How it stands.
   *
   * @param error the last one, in words; null while all is well
   */
  record State(@Nullable String error, @Nullable Instant failed, @Nullable Instant succeeded) {
    static final State STARTING = new State(null, null, null);
  }

  /**
   * @param address of the other directory, for people and as a key of what is stored
   * @param base scheme and authority of ours; empty: where the request comes from
   */
  Publisher(
      String address,
      Remote remote,
      String base,
      Directory directory,
      Store store,
      Clock clock,
      RandomGenerator random) {
    this.address = address;
    this.remote = remote;
    this.base = base;
    this.directory = directory;
    this.store = store;
    this.agenda = new Agenda(clock);
    this.clock = clock;
    this.random = random;
  }

  /** Takes a change of the feed, on the feed's thread. */
  void note(Change change) {
    try {
      for (Fact fact : change.facts()) {
        if (fact.slot().equals(Registration.SLOT)) {
          agenda.now(change.endpoint());
        } else if (Published.isState(change.endpoint(), fact)) {
          remember(fact);
        }
      }
    } catch (RuntimeException e) {
      // The feed must go on: what cannot be read is published again.
      log.error("the change {} of {} is passed over", change.position(), change.endpoint(), e);
    }
  }

  private void remember(Fact fact) {
    if (fact.isNone()) {
      published
          .values()
          .removeIf(one -> Published.slot(one.directory(), one.name()).equals(fact.slot()));
      return;
    }
    Published told = Published.read(fact.body());
    if (told.directory().equals(address)) {
      published.put(told.name(), told);
      agenda.now(told.name());
    }
  }

  @Override
  public void run() {
    try {
      while (true) {
        EndpointName name = agenda.take();
        if (name == null) {
          return;
        }
        tend(name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tend(EndpointName name) throws InterruptedException {
    try {
      perform(name, Step.next(wanted(name), published.get(name), seconds()));
    } catch (Remote.RefusedException e) {
      // It answers, so the others need not wait.
      failed(name, e);
      agenda.at(name, clock.millis() + backoff(name));
    } catch (IOException | StoreException e) {
      failed(name, e);
      agenda.pause(clock.millis() + backoff(WHOLE));
      agenda.now(name);
    }
  }

  private Optional<Wanted> wanted(EndpointName name) {
    return directory.registration(name).flatMap(entry -> Wanted.of(entry, base, seconds()));
  }

  private void perform(EndpointName name, Step step) throws IOException, InterruptedException {
    switch (step) {
      case Step.Nothing() -> {}
      case Step.Wait(long until) -> agenda.at(name, until * 1000);
      case Step.Register(Wanted wanted, long lifetime) -> {
        long until = seconds() + lifetime;
        List<String> location = remote.register(wanted, lifetime);
        confirmed(
            name,
            new Published(address, name, location, wanted.digest(), lifetime, until).toFact());
      }
      case Step.Renew(Published before, long lifetime) -> renew(name, before, lifetime);
      case Step.Remove(Published before) -> remove(name, before);
      case Step.Forget(Published before) -> confirmed(name, before.toNone());
    }
  }

  private void renew(EndpointName name, Published before, long lifetime)
      throws IOException, InterruptedException {
    long until = seconds() + lifetime;
    try {
      remote.renew(before.location(), lifetime);
    } catch (Remote.RefusedException e) {
      lost(name, before, e);
      return;
    }
    confirmed(
        name,
        new Published(address, name, before.location(), before.shown(), lifetime, until).toFact());
  }

  private void remove(EndpointName name, Published before)
      throws IOException, InterruptedException {
    try {
      remote.remove(before.location());
    } catch (Remote.RefusedException e) {
      lost(name, before, e);
      return;
    }
    confirmed(name, before.toNone());
  }

  /** It has forgotten the registration, having lost its own state perhaps: from the start then. */
  private void lost(EndpointName name, Published before, Remote.RefusedException e)
      throws Remote.RefusedException {
    if (!e.code().equals("4.04")) {
      throw e;
    }
    confirmed(name, before.toNone());
  }

  /** Makes durable what the other directory confirmed; the feed then brings it here. */
  private void confirmed(EndpointName name, Fact fact) {
    Instant now = clock.instant();
    try {
      store
          .submit(
              new Batch(
                  Published.STATE, now, OptionalLong.empty(), OptionalLong.empty(), List.of(fact)))
          .join();
    } catch (CompletionException e) {
      throw new StoreException("what was published is not stored", e);
    }
    failures.remove(name);
    failures.remove(WHOLE);
    if (state.error() != null && failures.isEmpty()) {
      log.info("{} shows our endpoints again", address);
    }
    state = new State(failures.isEmpty() ? null : state.error(), state.failed(), now);
    agenda.now(name);
  }

  private long backoff(EndpointName name) {
    return Backoff.after(failures.merge(name, 1, Integer::sum), random);
  }

  private void failed(EndpointName name, Exception e) {
    String error = name + ": " + e.getMessage();
    if (state.error() == null) {
      log.warn("{} does not take our endpoints; trying again. {}", address, error);
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

  /** How many of our endpoints the other directory shows. */
  int shown() {
    long now = seconds();
    return (int) published.values().stream().filter(one -> one.until() > now).count();
  }

  /** Ends the thread. */
  void close() {
    agenda.close();
  }
}
