package dev.vigil.gateway.fetch;

import dev.vigil.border.blocks.BlockStoreId;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.MirrorRecovery;
import dev.vigil.mirror.model.RecoveredValue;
import dev.vigil.mirror.model.Recovery;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.state.RecoveredReadings.Gap;
import dev.vigil.signed.senml.ResolvedRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Fills the gaps that an absence of the gateway left in the history of an endpoint. The readings
 * come from the block store of its mote. After an interruption it continues where it stopped: a
 * reading that the mirror has is not stored again. For one thread.
 */
final class GapFiller {
  /** Tolerance for a wrong clock, and for a message that is on its way. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  /**
   * The time around an absence that is searched too. An absence often begins and ends with shorter
   * silences, while routes are lost and found. The search costs only transfers, because a signed
   * reading is recognised by its number.
   */
  private static final Duration AROUND = Duration.ofMinutes(1);

  /** The longest time between a reading, by the mote's clock, and the arrival of its update. */
  private static final Duration SKEW = Duration.ofMinutes(10);

  /** How far numbers of updates on their way may be above the highest accepted number. */
  private static final int NUMBERS_UNDER_WAY = 4096;

  private static final int NUMBERS = 0x10000;

  private final BlockStore blockStore;
  private final Function<Ipv6Address, List<BlockStoreId>> stores;
  private final MirrorQueries mirror;
  private final MirrorRecovery recovery;

  /** Bursts of one endpoint before the turn of the next endpoint. */
  private static final int BURSTS_PER_TURN = 16;

  /** The maximum number of bursts of a block store for one gap; one of 16 MB has fewer. */
  private static final int MAX_BURSTS = 8192;

  /** By endpoint: the gap that the next turn continues. */
  private final Map<String, Filling> unfinished = new HashMap<>();

  /** By endpoint: the arrival up to which its history was searched for gaps since the start. */
  private final Map<String, Instant> searched = new HashMap<>();

  /** Fetches one burst from a block store; see {@link StoredReadings#fetch}. */
  @FunctionalInterface
  interface BlockStore {
    StoredReadings.Page fetch(BlockStoreId store, long from, long to, long first);
  }

  /**
   * @param readings number of readings that this turn stored in the mirror
   * @param lost numbers of blocks that are damaged in the mote's block stores
   * @param more whether the endpoint needs another turn
   */
  record Outcome(int gaps, int readings, SortedSet<Long> lost, boolean more) {}

  /**
   * @param stores the block stores of a mote whose associations the gateway holds
   */
  GapFiller(
      BlockStore blockStore,
      Function<Ipv6Address, List<BlockStoreId>> stores,
      MirrorQueries mirror,
      MirrorRecovery recovery) {
    this.blockStore = blockStore;
    this.stores = stores;
    this.mirror = mirror;
    this.recovery = recovery;
  }

  /** The shortest silence of an endpoint that shows that the mirror lacks a reading. */
  static Duration silence(long wakeSeconds) {
    return Duration.ofSeconds(wakeSeconds).multipliedBy(3).dividedBy(2).plus(TOLERANCE);
  }

  /**
   * Fills gaps of an endpoint, as many as one turn allows.
   *
   * @throws ErrorResponseException with one sentence: the mote does not answer, not all of its
   *     blocks arrived, or its block store belongs to another endpoint; to be tried again
   */
  Outcome fill(String id, Ipv6Address mote) {
    EndpointView endpoint =
        mirror
            .endpoint(id)
            .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "no such endpoint"));
    Instant after = searched.getOrDefault(id, Instant.EPOCH);
    List<Gap> gaps = recovery.gaps(id, after, silence(endpoint.wake()));
    SortedSet<Long> lost = new TreeSet<>();
    int readings = 0;
    int bursts = BURSTS_PER_TURN;
    Filling begun = unfinished.remove(id);
    for (Gap gap : gaps) {
      Filling filling =
          begun != null && begun.gap.equals(gap) && begun.mote.equals(mote)
              ? begun
              : new Filling(endpoint, mote, gap);
      int before = filling.bursts;
      readings += filling.run(endpoint, bursts, lost);
      bursts -= filling.bursts - before;
      if (!filling.isFinished()) {
        unfinished.put(id, filling);
        return new Outcome(gaps.size(), readings, lost, true);
      }
    }
    searched.put(id, endpoint.lastHeard());
    return new Outcome(gaps.size(), readings, lost, false);
  }

  /** Forgets an endpoint that is no longer registered. */
  void forget(String id) {
    searched.remove(id);
    unfinished.remove(id);
  }

  /** The number of endpoints with remembered state. */
  int size() {
    return searched.size() + unfinished.size();
  }

  /**
   * One gap of one endpoint, filled in one or more turns from all block stores of its mote. A block
   * store that refuses keeps the gap open, but not the others from being asked.
   */
  private final class Filling {
    private final Ipv6Address mote;
    private final Gap gap;
    private final Map<String, Resource> resources = new HashMap<>();
    private final List<BlockStoreId> open;
    private long next;
    private @Nullable ErrorResponseException refusal;
    private boolean complete = true;
    private int bursts;
    private int burstsOfStore;

    /** These three are set for each turn. */
    private EndpointView endpoint;

    private Instant from = Instant.EPOCH;
    private Instant to = Instant.EPOCH;

    Filling(EndpointView endpoint, Ipv6Address mote, Gap gap) {
      this.endpoint = endpoint;
      this.mote = mote;
      this.gap = gap;
      List<BlockStoreId> known = stores.apply(mote);
      this.open = new ArrayList<>(known.isEmpty() ? List.of(BlockStoreId.unnamed(mote)) : known);
    }

    /** The mirror's measurements of a resource in this time, and how they are named. */
    private record Resource(ResolvedRecord example, Set<Long> signed, Set<Place> recovered) {}

    /** A place of a stored reading. Its block never changes. */
    private record Place(long block, Instant measured) {}

    boolean isFinished() {
      return open.isEmpty();
    }

    /**
     * Fetches up to that many bursts.
     *
     * @return the number of readings that were stored in the mirror
     */
    int run(EndpointView present, int most, SortedSet<Long> lost) {
      Duration margin = Duration.ofSeconds(present.wake()).plus(AROUND);
      endpoint = present;
      from = gap.from().minus(margin);
      to = gap.to().plus(margin);
      resources.clear();
      int stored = 0;
      for (int i = 0; i < most && !isFinished(); i++) {
        bursts++;
        stored += burst(lost);
      }
      if (isFinished() && refusal != null) {
        throw refusal;
      }
      if (isFinished() && !complete) {
        throw new ProblemException(ProblemType.NO_ANSWER, "not all blocks of " + mote + " arrived");
      }
      return stored;
    }

    /** Fetches one burst of the first open block store. */
    private int burst(SortedSet<Long> lost) {
      if (++burstsOfStore > MAX_BURSTS) {
        throw new ProblemException(
            ProblemType.BAD_GATEWAY,
            open.getFirst() + " has more than " + MAX_BURSTS + " bursts for one gap");
      }
      StoredReadings.Page page;
      try {
        page =
            blockStore.fetch(
                open.getFirst(), Math.max(0, from.getEpochSecond()), to.getEpochSecond(), next);
      } catch (ProblemException e) {
        if (e.type() == ProblemType.NO_ANSWER) {
          throw e; // The mote would not answer for its other block stores either.
        }
        refusal = e;
        finishStore();
        return 0;
      }
      lost.addAll(page.corrupted());
      complete &= page.missing().isEmpty();
      next = page.next();
      if (next == 0) {
        finishStore();
      }
      boolean filled = isFinished() && complete && refusal == null;
      return store(page, filled ? gap.to() : through());
    }

    private void finishStore() {
      open.removeFirst();
      next = 0;
      burstsOfStore = 0;
    }

    private Instant through() {
      return recovery.recovery(endpoint.id()).map(Recovery::through).orElse(Instant.EPOCH);
    }

    private int store(StoredReadings.Page page, Instant through) {
      Map<String, List<RecoveredValue>> values = new HashMap<>();
      for (StoredReadings.Item item : page.items()) {
        String path = MirrorQueries.canonicalPath(item.sensor().path());
        resource(path)
            .flatMap(resource -> missing(resource, item))
            .ifPresent(value -> values.computeIfAbsent(path, p -> new ArrayList<>()).add(value));
      }
      FutureResults.done(
          recovery.add(endpoint.id(), new Recovery(mote.toString(), through), values));
      return values.values().stream().mapToInt(List::size).sum();
    }

    /** Empty for a resource without any signed value: its measurements have no name. */
    private Optional<Resource> resource(String path) {
      if (!resources.containsKey(path)) {
        List<ResolvedRecord> last = mirror.lastMeasurements(endpoint.id(), path);
        if (last.isEmpty()) {
          return Optional.empty();
        }
        resources.put(
            path,
            new Resource(
                last.getFirst(),
                recovery.numbers(endpoint.id(), path, from.minus(SKEW), to.plus(SKEW)),
                mirror.recoveredValues(endpoint.id(), path).stream()
                    .map(one -> new Place(one.value().block(), one.value().measured()))
                    .collect(Collectors.toSet())));
      }
      return Optional.of(resources.get(path));
    }

    /** The reading as a value, if the mirror has it neither signed nor recovered. */
    private Optional<RecoveredValue> missing(Resource resource, StoredReadings.Item item) {
      Instant measured = Instant.ofEpochSecond(item.reading().time());
      long seq = number(item.reading().sequence());
      boolean known =
          seq < 0
              || isSigned(resource, item, measured)
              || resource.recovered().contains(new Place(item.block(), measured));
      return known
          ? Optional.empty()
          : Optional.of(
              new RecoveredValue(
                  resource.example().name(),
                  resource.example().unit(),
                  item.reading().value(),
                  measured,
                  seq,
                  mote.toString(),
                  item.block()));
    }

    /**
     * Whether the mirror has the update of a reading. The low octets of its number together with
     * its time identify it, even if the numbers have jumped since, as after a restoration.
     */
    private boolean isSigned(Resource resource, StoredReadings.Item item, Instant measured) {
      int low = item.reading().sequence();
      return low != 0
          && isIn(resource.signed(), low)
          && isIn(
              recovery.numbers(
                  endpoint.id(),
                  MirrorQueries.canonicalPath(item.sensor().path()),
                  measured.minus(SKEW),
                  measured.plus(SKEW)),
              low);
    }

    private static boolean isIn(Set<Long> numbers, int low) {
      return numbers.stream().anyMatch(number -> number % NUMBERS == low);
    }

    /**
     * The number of the update that should have carried a reading, unless numbers have jumped
     * since; 0 if there was none, -1 if it may be on its way.
     *
     * @param low its low 16 bits
     */
    private long number(int low) {
      if (low == 0) {
        return 0;
      }
      long above = Math.floorMod(low - endpoint.high(), NUMBERS);
      if (above > 0 && above <= NUMBERS_UNDER_WAY) {
        return -1;
      }
      return Math.max(0, above == 0 ? endpoint.high() : endpoint.high() + above - NUMBERS);
    }
  }
}
