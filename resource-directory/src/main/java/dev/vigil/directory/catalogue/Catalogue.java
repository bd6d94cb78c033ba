package dev.vigil.directory.catalogue;

import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * All registrations that the feed tells of: the living, which lookups find, and those whose
 * lifetime passed less than a grace period ago, which can still be renewed (RFC 9176 section 5.3).
 *
 * <p>Cost in the number of endpoints n: folding a change and a filtered lookup take O(log n) per
 * attribute, a lookup plus O(results); nothing scans.
 */
public final class Catalogue {
  /** Indexed apart from attributes of these names; no attribute name begins with a space. */
  static final String TARGETS = " href";

  static final String ANCHORS = " anchor";
  static final String ORIGINS = " base";

  /** What an entry takes with its place by id, its links and parameters apart. */
  private static final int ENTRY_OCTETS = 320;

  private static final int PARAMETER_OCTETS = 48;

  /** After so much effort a search lets those pass who wait for the lock: some milliseconds. */
  private static final long IN_ONE_GO = 1 << 20;

  private final long graceMillis;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  // All below is guarded by the lock.
  private @Nullable Entry[] entries = new @Nullable Entry[64];
  private int used;
  private final Ordinals free = new Ordinals();
  private final Ordinals living = new Ordinals();
  private final Ordinals mirrored = new Ordinals();
  private final Map<String, Entry> byId = new HashMap<>();
  private final AttributeIndex names = new AttributeIndex();
  private final AttributeIndex index = new AttributeIndex();
  private final Lifetimes lifetimes = new Lifetimes();

  /** What entries take besides the indexes. */
  private long octets;

  /**
   * @param graceMillis how long an entry can be renewed after its lifetime
   */
  public Catalogue(long graceMillis) {
    this.graceMillis = graceMillis;
  }

  /**
   * Takes a change of the feed; what it brings besides a registration is nothing to it.
   *
   * @param now unix time in ms
   * @return whether a lookup may be answered otherwise now
   */
  public boolean fold(Change change, long now) {
    lock.writeLock().lock();
    try {
      Entry known = byId.get(change.id());
      for (Fact fact : change.facts()) {
        if (fact.slot().equals(Registration.SLOT)) {
          return fact.isNone() ? known != null && drop(known) : put(change, fact, known, now);
        }
      }
      return false;
    } finally {
      lock.writeLock().unlock();
    }
  }

  private boolean put(Change change, Fact fact, @Nullable Entry known, long now) {
    Registration.Stored registration = Registration.Stored.fromFact(fact.body());
    List<Link> rewritten =
        registration.origin() instanceof Registration.Mirrored(String jkt)
            ? Mirrored.links(registration.links(), change.id(), jkt)
            : null;
    String text = rewritten == null ? registration.links() : LinkFormat.write(rewritten);
    Entry.Content content = content(change, registration, text);
    if (known == null) {
      // What cannot be parsed fails here, before anything is touched.
      List<Link> links = rewritten == null ? parse(text) : rewritten;
      Entry entry = new Entry(freeOrdinal(), change.id(), canonical(change.endpoint()), content);
      entries[entry.ordinal()] = entry;
      octets += octets(content);
      byId.put(entry.id(), entry);
      names.add("ep", entry.name().ep(), entry);
      lookAgain(entry, content.expires());
      return show(entry, links, now);
    }
    Entry.Content before = known.content();
    boolean shown = living.contains(known.ordinal());
    boolean same = saysTheSame(before, content);
    List<Link> links = shown && same ? List.of() : rewritten == null ? parse(text) : rewritten;
    if (shown && !same) {
      hide(known);
    }
    octets += octets(content) - octets(before);
    known.replace(same ? sharing(before, content) : content);
    if (seconds(content.expires()) < known.due()) {
      lookAgain(known, content.expires());
    }
    boolean shows = shown && same || show(known, links, now);
    return shown != shows || !same;
  }

  private static List<Link> parse(String links) {
    return LinkFormat.parse(links, LinkFormat.Limits.NONE);
  }

  private void lookAgain(Entry entry, long millis) {
    entry.dueAt(seconds(millis));
    lifetimes.add(entry.due(), entry.ordinal());
  }

  private Entry.Content content(Change change, Registration.Stored registration, String links) {
    return new Entry.Content(
        registration.origin(),
        registration.lifetime(),
        change.version(),
        change.at().toEpochMilli() + 1000 * registration.lifetime(),
        registration.parameters().stream().map(this::canonical).toList(),
        links.getBytes(StandardCharsets.UTF_8));
  }

  private Query.Parameter canonical(Query.Parameter parameter) {
    return new Query.Parameter(
        index.canonical(parameter.name(), parameter.name()),
        index.canonical(parameter.name(), parameter.value()));
  }

  private EndpointName canonical(EndpointName name) {
    return new EndpointName(name.ep(), index.canonical("d", name.d()));
  }

  private static boolean saysTheSame(Entry.Content before, Entry.Content after) {
    return before.origin().equals(after.origin())
        && before.parameters().equals(after.parameters())
        && Arrays.equals(before.links(), after.links());
  }

  /** A renewal keeps what it repeats. */
  private static Entry.Content sharing(Entry.Content before, Entry.Content after) {
    return new Entry.Content(
        before.origin(),
        after.lifetime(),
        after.version(),
        after.expires(),
        before.parameters(),
        before.links());
  }

  private int freeOrdinal() {
    int freed = free.nextFrom(0);
    if (freed != Ordinals.NONE) {
      free.remove(freed);
      return freed;
    }
    if (used == Lifetimes.MOST_ORDINALS) {
      throw new IllegalStateException("more than " + used + " endpoints");
    }
    if (used == entries.length) {
      entries = Arrays.copyOf(entries, used + used / 2);
    }
    return used++;
  }

  private boolean show(Entry entry, List<Link> links, long now) {
    if (entry.content().expires() <= now) {
      return false;
    }
    living.add(entry.ordinal());
    if (entry.content().origin() instanceof Registration.Mirrored) {
      mirrored.add(entry.ordinal());
    }
    Values.forEach(entry, links, (attribute, value) -> index.add(attribute, value, entry));
    return true;
  }

  private void hide(Entry entry) {
    living.remove(entry.ordinal());
    mirrored.remove(entry.ordinal());
    Values.forEach(
        entry,
        entry.content().parseLinks(),
        (attribute, value) -> index.remove(attribute, value, entry));
  }

  private boolean drop(Entry entry) {
    boolean shown = hideIfShown(entry);
    names.remove("ep", entry.name().ep(), entry);
    byId.remove(entry.id());
    entries[entry.ordinal()] = null;
    octets -= octets(entry.content());
    free.add(entry.ordinal());
    return shown;
  }

  /**
   * Takes out of sight what has outlived its lifetime, and names what has outlived its grace too:
   * whoever calls has the store forget those.
   *
   * @param now unix time in ms
   */
  public Passed pass(long now) {
    lock.writeLock().lock();
    try {
      List<Entry> hidden = new ArrayList<>();
      List<Entry> forgotten = new ArrayList<>();
      for (long due = lifetimes.earliest(); due <= now / 1000; due = lifetimes.earliest()) {
        Entry entry = entries[lifetimes.take()];
        if (entry == null || entry.due() != due) {
          continue;
        }
        long expires = entry.content().expires();
        if (expires > now) {
          lookAgain(entry, expires);
          continue;
        }
        if (hideIfShown(entry)) {
          hidden.add(entry);
        }
        if (expires + graceOf(entry) > now) {
          lookAgain(entry, expires + graceOf(entry));
        } else {
          forgotten.add(entry);
        }
      }
      return new Passed(hidden, forgotten);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * @param hidden entries that lookups show no more
   * @param forgotten entries that nobody renewed in time; named once
   */
  public record Passed(List<Entry> hidden, List<Entry> forgotten) {}

  private long graceOf(Entry entry) {
    return entry.content().origin() instanceof Registration.Direct direct && direct.simple()
        ? 0
        : graceMillis;
  }

  private boolean hideIfShown(Entry entry) {
    boolean shown = living.contains(entry.ordinal());
    if (shown) {
      hide(entry);
    }
    return shown;
  }

  private static long seconds(long millis) {
    return Math.ceilDiv(millis, 1000);
  }

  /** An entry, living or in its grace. */
  public Optional<Entry> byId(String id) {
    lock.readLock().lock();
    try {
      return Optional.ofNullable(byId.get(id));
    } finally {
      lock.readLock().unlock();
    }
  }

  /** An entry, living or in its grace. */
  public Optional<Entry> byName(EndpointName name) {
    lock.readLock().lock();
    try {
      AttributeIndex.Posting posting = names.exact("ep", name.ep());
      if (posting == null) {
        return Optional.empty();
      }
      for (int at = posting.nextFrom(0); at != Ordinals.NONE; at = posting.nextFrom(at + 1)) {
        Entry entry = entries[at];
        if (entry != null && entry.name().equals(name)) {
          return Optional.of(entry);
        }
      }
      return Optional.empty();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** How many are held, those in their grace included. */
  public int held() {
    lock.readLock().lock();
    try {
      return byId.size();
    } finally {
      lock.readLock().unlock();
    }
  }

  private static long octets(Entry.Content content) {
    return ENTRY_OCTETS
        + content.links().length
        + (long) PARAMETER_OCTETS * content.parameters().size();
  }

  /** About what all entries and indexes take of memory. */
  public long octets() {
    lock.readLock().lock();
    try {
      return octets + names.octets() + index.octets();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** How many a lookup without criteria would show to who may see all. */
  public int size() {
    lock.readLock().lock();
    try {
      return living.size();
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Runs a search. Changes wait for it no longer than for {@link #IN_ONE_GO}: the store's thread
   * brings them, and everybody's acknowledgements wait for that.
   *
   * @param effort hears what it costs, and may end it
   * @param now unix time in ms
   */
  public void search(Search search, Effort effort, long now) {
    int from = 0;
    while (from != Ordinals.NONE) {
      from = searchOn(search, effort, now, from);
    }
  }

  /**
   * @return where to go on when those who wait had their turn; {@link Ordinals#NONE} at the end
   */
  private int searchOn(Search search, Effort effort, long now, int from) {
    lock.readLock().lock();
    try {
      Candidates candidates =
          Candidates.choose(
              search, new Candidates.Indexes(names, index, living, mirrored, byId), effort);
      long spent = 0;
      for (int at = candidates.nextFrom(from);
          at != Ordinals.NONE && !search.isSated();
          at = candidates.nextFrom(at + 1)) {
        Entry entry = entries[at];
        if (entry != null && living.contains(at) && entry.content().expires() > now) {
          long cost = search.consider(entry);
          spent += cost;
          effort.spent(cost);
        }
        if (spent > IN_ONE_GO && lock.hasQueuedThreads()) {
          return at + 1;
        }
      }
      return Ordinals.NONE;
    } finally {
      lock.readLock().unlock();
    }
  }
}
