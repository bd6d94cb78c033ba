package dev.vigil.gateway.month;

import dev.vigil.gateway.endpoints.EventsOfMonth.Event;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.Presence;
import dev.vigil.store.EndpointName;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Two readers without credentials, an event stream and observations: neither shows what happened in
 * a domain while that was closed to them, and both show it again afterwards. What is shown late
 * counts only until the domain is opened again.
 */
final class Readers {
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");
  private static final String OBSERVED_PATH = MotePlan.PATHS.getFirst();

  private static final long WAIT_MILLIS = 60_000;

  private final Collection<String> domains;
  private final NumberCheck numbers;
  private final ObservingReader observer = new ObservingReader();

  /** Closed domains, with the position and the numbers of the moment before. */
  private final Map<String, Closing> closed = new TreeMap<>();

  /** By the number of the request. */
  private final Map<Integer, Observed> observed = new HashMap<>();

  /** The last number that each observation of this run has shown, by the number of its request. */
  private final Map<Integer, Long> running = new HashMap<>();

  /** Endpoints by id. No id is used for another endpoint later. */
  private final Map<String, EndpointName> names = new HashMap<>();

  /** Domains of which either reader has seen something while they were open, by reader. */
  private final Map<String, Set<String>> seen = new HashMap<>();

  private long lastEvent = -1;

  /**
   * @param position in the feed; events up to it may still come
   * @param highest numbers of updates that may still come
   */
  private record Closing(long position, Map<EndpointName, Long> highest) {}

  private record Observed(EndpointName name, boolean whileClosed) {}

  Readers(Collection<String> domains, NumberCheck numbers) {
    this.domains = domains;
    this.numbers = numbers;
  }

  /** The readers connect to a gateway that has started, with the policies of its data folder. */
  void connect(SimulatedGateway gateway) throws InterruptedException {
    closed.clear();
    running.clear();
    numbers.beginRun();
    for (String domain : domains) {
      if (!gateway.domains().isOpen(domain)) {
        closed.put(domain, new Closing(0, Map.of()));
      }
    }
    gateway.connectEvents(lastEvent);
    observe(gateway);
  }

  /** Closes a domain to the readers. */
  void close(SimulatedGateway gateway, String domain) throws InterruptedException {
    check(gateway);
    gateway.domains().setOpen(domain, false);
    closed.putIfAbsent(
        domain, new Closing(gateway.mirror().queries().position(), numbers.highest()));
  }

  void open(SimulatedGateway gateway, String domain) throws InterruptedException {
    check(gateway);
    gateway.domains().setOpen(domain, true);
    closed.remove(domain);
    observe(gateway);
  }

  /** Asks for every resource, whether the readers may see it or not. */
  private void observe(SimulatedGateway gateway) throws InterruptedException {
    MirrorQueries queries = gateway.mirror().queries();
    learn(queries);
    for (String id : new TreeSet<>(queries.registeredIds())) {
      EndpointName name = names.get(id);
      if (name != null) {
        byte[] request = observer.observe(List.of("ms", id, OBSERVED_PATH));
        observed.put(observer.lastRequest(), new Observed(name, closed.containsKey(name.d())));
        gateway.accept(request);
        take(gateway);
      }
    }
  }

  private void learn(MirrorQueries queries) {
    for (String id : queries.registeredIds()) {
      queries.presence(id).map(Readers::name).ifPresent(name -> names.put(id, name));
    }
  }

  private static EndpointName name(Presence presence) {
    return new EndpointName(presence.ep(), presence.d());
  }

  /** Takes all packets for the observer. */
  void take(SimulatedGateway gateway) throws InterruptedException {
    List<byte[]> packets = gateway.outgoingToReader();
    while (!packets.isEmpty()) {
      for (byte[] packet : packets) {
        Optional<byte[]> acknowledgement = observer.take(packet);
        if (acknowledgement.isPresent()) {
          gateway.accept(acknowledgement.get());
        }
      }
      packets = gateway.outgoingToReader();
    }
  }

  /** Checks that the readers were permitted to see all that they have seen. */
  void check(SimulatedGateway gateway) throws InterruptedException {
    learn(gateway.mirror().queries());
    for (Event event : gateway.events()) {
      lastEvent = Math.max(lastEvent, event.id());
      check(event);
    }
    checkObservations(gateway);
    while (isAwaited()) {
      HistoryCheck.require(
          gateway.host().awaitOutgoing(ObservingReader.ADDRESS, WAIT_MILLIS),
          "an observation of a closed domain neither ends nor shows anything");
      checkObservations(gateway);
    }
  }

  private void checkObservations(SimulatedGateway gateway) throws InterruptedException {
    take(gateway);
    observer.takeResponses().forEach(this::check);
  }

  /**
   * Whether an observation of a closed domain still has to send something about the newest update:
   * its end, or what nobody may see. The gateway sends it after a pause in real time.
   */
  private boolean isAwaited() {
    return running.entrySet().stream()
        .anyMatch(
            entry -> {
              EndpointName name = Objects.requireNonNull(observed.get(entry.getKey())).name;
              return closed.containsKey(name.d())
                  && numbers.newest(name, OBSERVED_PATH) > entry.getValue();
            });
  }

  private void check(Event event) {
    Matcher id = ID.matcher(event.data());
    EndpointName name = id.find() ? names.get(id.group(1)) : null;
    if (name == null) {
      return;
    }
    Closing closing = closed.get(name.d());
    HistoryCheck.require(
        closing == null || event.id() <= closing.position,
        "the event stream shows %s, whose domain is closed: %s %d",
        name,
        event.name(),
        event.id());
    note("stream", name);
  }

  private void check(ObservingReader.Response response) {
    Observed about = observed.get(response.request());
    if (about == null) {
      return;
    }
    if (response.observed()) {
      running.put(response.request(), response.seq());
    } else {
      running.remove(response.request());
    }
    if (!response.hasContent()) {
      return;
    }
    Closing closing = closed.get(about.name.d());
    HistoryCheck.require(
        closing == null
            || !about.whileClosed && response.seq() <= closing.highest.getOrDefault(about.name, 0L),
        "an observation shows %s, whose domain is closed: %s",
        about.name,
        response);
    note("observation", about.name);
  }

  private void note(String reader, EndpointName name) {
    if (!closed.containsKey(name.d())) {
      seen.computeIfAbsent(reader, r -> new TreeSet<>()).add(name.d());
    }
  }

  /** Forgets what was seen before, to require that it is seen anew. */
  void startAnew() {
    seen.clear();
  }

  /** Both readers have seen something of each domain. */
  void requireSight() {
    for (String reader : List.of("stream", "observation")) {
      for (String domain : domains) {
        HistoryCheck.require(
            seen.getOrDefault(reader, Set.of()).contains(domain),
            "the %s shows nothing of the open domain \"%s\"",
            reader,
            domain);
      }
    }
  }
}
