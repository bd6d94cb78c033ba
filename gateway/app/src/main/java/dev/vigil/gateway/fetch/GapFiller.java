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
import dev.vigil.mirror.model.Recovery.Progress;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.state.RecoveredReadings;
import dev.vigil.mirror.state.RecoveredReadings.Gap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Fills the gaps that an absence of the gateway left in the history of an endpoint. The readings
 * come from the block stores of its mote. Each burst is stored together with the {@link Progress}
 * that it makes, so after an interruption no block is taken twice. For one thread.
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

  private final BlockStore blockStore;
  private final Function<Ipv6Address, List<BlockStoreId>> stores;
  private final MirrorQueries mirror;
  private final MirrorRecovery recovery;

  /** Bursts of one endpoint before the turn of the next endpoint. */
  private static final int BURSTS_PER_TURN = 16;

  /** The maximum number of bursts of a block store for one gap; one of 16 MB has fewer. */
  private static final int MAX_BURSTS = 8192;

  /** The maximum number of missing blocks of a block store for one gap; bounds the record. */
  private static final int MAX_MISSING = 64;

  private final Map<String, Search> searches = new HashMap<>();

  /** The state of the search for an endpoint between two turns. */
  private static final class Search {
    private final Ipv6Address mote;

    /** As this search left it; it differs once an operator has reassigned the block store. */
    private @Nullable Recovery recovery;

    /** The arrival up to which the history was searched for gaps. */
    private Instant through = Instant.EPOCH;

    /** The gaps that stay open, and why. */
    private final Map<Gap, ErrorResponseException> refused = new LinkedHashMap<>();

    /** The gap that the next turn continues. */
    private @Nullable Filling unfinished;

    Search(Ipv6Address mote, @Nullable Recovery recovery) {
      this.mote = mote;
      this.recovery = recovery;
    }
  }

  /** Fetches one burst from a block store; see {@link StoredReadings#fetch}. */
  @FunctionalInterface
  interface BlockStore {
    StoredReadings.Page fetch(BlockStoreId store, long from, long to, long first);
  }

  /**
   * @param readings number of readings that this turn stored in the mirror
   * @param lost numbers of blocks that are damaged in the mote's block stores
   * @param more whether the endpoint needs another turn
   * @param refusal why a gap stays open, in one sentence: the mote does not answer, not all of its
   *     blocks arrived, or its block store belongs to another endpoint; to be tried again
   */
  record Outcome(
      int gaps,
      int readings,
      SortedSet<Long> lost,
      boolean more,
      @Nullable ErrorResponseException refusal) {}

  /** The number of bursts left in one turn, and the results so far. */
  private static final class Turn {
    private int bursts = BURSTS_PER_TURN;
    private int readings;
    private final SortedSet<Long> lost = new TreeSet<>();

    Outcome outcome(List<Gap> gaps, boolean more, @Nullable ErrorResponseException refusal) {
      return new Outcome(gaps.size(), readings, lost, more, refusal);
    }
  }

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
   * Fills gaps of an endpoint, as many as one turn allows. A gap that cannot be filled does not
   * keep the later ones from being filled.
   */
  Outcome fill(String id, Ipv6Address mote) {
    EndpointView endpoint =
        mirror
            .endpoint(id)
            .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "no such endpoint"));
    Search search = search(endpoint, mote);
    List<Gap> gaps = recovery.gaps(id, search.through, silence(endpoint.wake()));
    Turn turn = new Turn();
    try {
      for (Gap gap : gaps) {
        if (search.refused.containsKey(gap)) {
          continue;
        }
        Filling begun = search.unfinished;
        Filling filling =
            begun != null && begun.gap.equals(gap) ? begun : new Filling(endpoint, search, gap);
        filling.run(endpoint, turn);
        if (!filling.isFinished()) {
          search.unfinished = filling;
          searches.put(id, search);
          return turn.outcome(gaps, true, null);
        }
        filling.close(turn);
      }
    } catch (ErrorResponseException e) {
      return turn.outcome(gaps, false, e);
    }
    if (!search.refused.isEmpty()) {
      return turn.outcome(gaps, false, search.refused.values().iterator().next());
    }
    search.unfinished = null;
    search.through = endpoint.lastHeard();
    searches.put(id, search);
    return turn.outcome(gaps, false, null);
  }

  /** The search of the last turn, or a new one if something else has changed since. */
  private Search search(EndpointView endpoint, Ipv6Address mote) {
    String id = endpoint.id();
    Recovery present = recovery.recovery(id).orElse(null);
    Instant latest = endpoint.lastHeard().plus(RecoveredReadings.CLOCK_DIFFERENCE);
    if (present != null && present.through().isAfter(latest)) {
      // The clock was set back. Until it is there again, no gap would be found.
      present = new Recovery(present.mote(), endpoint.lastHeard());
      FutureResults.done(recovery.add(id, present, Map.of()));
    }
    Search last = searches.remove(id);
    return last == null || !last.mote.equals(mote) || !Objects.equals(last.recovery, present)
        ? new Search(mote, present)
        : last;
  }

  /** Forgets an endpoint that is no longer registered. */
  void forget(String id) {
    searches.remove(id);
  }

  /** The number of endpoints with remembered state. */
  int size() {
    return searches.size();
  }

  /**
   * One gap of one endpoint, filled in one or more turns from all block stores of its mote. A block
   * store that refuses keeps the gap open, but not the others from being asked.
   */
  private final class Filling {
    private final String id;
    private final Search search;
    private final Gap gap;

    /** The time before and after the gap that is searched too. */
    private final Duration margin;

    private final List<BlockStoreId> open;

    /** The block from which the first open block store is searched next. */
    private long next;

    private @Nullable ErrorResponseException refusal;
    private int burstsOfStore;

    Filling(EndpointView endpoint, Search search, Gap gap) {
      this.id = endpoint.id();
      this.search = search;
      this.gap = gap;
      this.margin = Duration.ofSeconds(endpoint.wake()).plus(AROUND);
      List<BlockStoreId> known = stores.apply(search.mote);
      this.open =
          new ArrayList<>(known.isEmpty() ? List.of(BlockStoreId.unnamed(search.mote)) : known);
      open.removeIf(store -> progress(store).isComplete());
    }

    boolean isFinished() {
      return open.isEmpty();
    }

    /** Fetches as many bursts as the turn allows. */
    void run(EndpointView endpoint, Turn turn) {
      MissingReadings readings =
          new MissingReadings(
              mirror,
              recovery,
              endpoint,
              search.mote,
              gap.from().minus(margin),
              gap.to().plus(margin));
      while (turn.bursts > 0 && !isFinished()) {
        turn.bursts--;
        burst(readings, open.getFirst(), turn);
      }
    }

    /**
     * Records the result of a finished gap. No gap counts as filled while an earlier one is open.
     */
    void close(Turn turn) {
      if (refusal != null) {
        search.refused.put(gap, refusal);
      } else if (search.refused.isEmpty()) {
        add(present().through(gap.to()), Map.of(), turn);
      }
    }

    /** Fetches one burst of the first open block store. */
    private void burst(MissingReadings readings, BlockStoreId store, Turn turn) {
      Progress progress = progress(store);
      long first = progress.following(next);
      StoredReadings.Page page;
      try {
        page = fetch(readings, store, first);
      } catch (ProblemException e) {
        if (e.type() == ProblemType.NO_ANSWER || e.type() == ProblemType.STOPPING) {
          throw e; // The mote would not answer for its other block stores either.
        }
        refuse(e);
        return;
      }
      next = page.next() == 0 ? Progress.END : page.next();
      Progress after = progress.after(first, next, page.missing());
      if (after.missing().size() > MAX_MISSING) {
        refuse(notArrived());
        return;
      }
      turn.lost.addAll(page.corrupted());
      store(readings, page, progress, first, turn);
      if (after.following(next) >= Progress.END) {
        if (after.isComplete()) {
          finishStore();
        } else {
          refuse(notArrived());
        }
      }
    }

    private StoredReadings.Page fetch(MissingReadings readings, BlockStoreId store, long first) {
      if (++burstsOfStore > MAX_BURSTS) {
        throw new ProblemException(
            ProblemType.BAD_GATEWAY,
            store + " has more than " + MAX_BURSTS + " bursts for one gap");
      }
      return blockStore.fetch(
          store,
          Math.max(0, readings.from().getEpochSecond()),
          readings.to().getEpochSecond(),
          first);
    }

    private ProblemException notArrived() {
      return new ProblemException(
          ProblemType.NO_ANSWER, "not all blocks of " + search.mote + " arrived");
    }

    private void refuse(ErrorResponseException reason) {
      refusal = refusal == null ? reason : refusal;
      finishStore();
    }

    private void finishStore() {
      open.removeFirst();
      next = 0;
      burstsOfStore = 0;
    }

    private Recovery present() {
      String mote = search.mote.toString();
      Recovery stored = recovery.recovery(id).orElse(new Recovery(mote, Instant.EPOCH));
      // The blocks of another mote have other numbers.
      return stored.mote().equals(mote) ? stored : new Recovery(mote, stored.through());
    }

    private Progress progress(BlockStoreId store) {
      return present().progress(gap.from(), gap.to(), store.name());
    }

    /**
     * Stores the readings of a burst. The store drops a reading at once if a batch has more of a
     * resource than are kept, and then no aggregate counts it; such a burst becomes several
     * batches.
     */
    private void store(
        MissingReadings readings,
        StoredReadings.Page page,
        Progress before,
        long first,
        Turn turn) {
      int most = recovery.kept(id);
      Progress progress = before;
      Map<String, List<RecoveredValue>> values = new HashMap<>();
      for (StoredReadings.Item item : page.items()) {
        String path = MirrorQueries.canonicalPath(item.sensor().path());
        RecoveredValue value =
            isTaken(progress, item) ? null : readings.value(path, item).orElse(null);
        if (value == null) {
          continue;
        }
        if (values.getOrDefault(path, List.of()).size() == most) {
          progress = progress.after(first, item.block(), page.missing());
          add(present().with(progress), values, turn);
          values = new HashMap<>();
        }
        values.computeIfAbsent(path, any -> new ArrayList<>()).add(value);
      }
      add(present().with(progress.after(first, next, page.missing())), values, turn);
    }

    /**
     * Whether this gap took a reading, or a later one that was filled first. An earlier gap is no
     * proof: its block store was perhaps searched to the end before the block was stored.
     */
    private boolean isTaken(Progress own, StoredReadings.Item item) {
      long time = item.reading().time();
      return own.isTaken(item.block())
          || present().open().stream()
              .anyMatch(
                  other ->
                      other.file().equals(own.file())
                          && other.from().isAfter(own.from())
                          && other.isTaken(item.block())
                          && other.from().minus(margin).getEpochSecond() <= time
                          && other.to().plus(margin).getEpochSecond() >= time);
    }

    private void add(Recovery changed, Map<String, List<RecoveredValue>> values, Turn turn) {
      FutureResults.done(recovery.add(id, changed, values));
      search.recovery = changed;
      turn.readings += values.values().stream().mapToInt(List::size).sum();
    }
  }
}
