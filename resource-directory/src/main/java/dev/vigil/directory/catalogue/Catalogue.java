package dev.vigil.directory.catalogue;

import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.link.Link;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * All registrations of the feed: live ones, which lookups find, and expired ones in their grace
 * period, which can still be renewed (RFC 9176 section 5.3).
 *
 * <p>Cost for n endpoints: folding a change and a filtered lookup take O(log n) per attribute, and
 * a lookup also takes O(results). Nothing scans all entries.
 */
public final class Catalogue {
  /**
   * Index names that no attribute can have, because an attribute name does not begin with a space.
   */
  static final String TARGETS = " href";

  static final String ANCHORS = " anchor";
  static final String ORIGINS = " base";

  /** Cost after which a search yields the lock to waiting writers; equals some milliseconds. */
  private static final long YIELD_AFTER = 1 << 20;

  /** Maximum number of removable entries of one {@link #expire}; removing each costs a write. */
  static final int MAX_AT_ONCE = 1000;

  /** Time after which an entry that is still in the catalogue is removable again. */
  private static final long RETRY_MILLIS = 60_000;

  private final long graceMillis;
  private final PublishedLocation location;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  // The lock guards all fields below.
  private final EntryTable entries = new EntryTable();
  private final OrdinalSet living = new OrdinalSet();
  private final OrdinalSet published = new OrdinalSet();
  private final AttributeIndex index = new AttributeIndex();
  private final LifetimeQueue lifetimes = new LifetimeQueue();

  /**
   * @param graceMillis how long an entry can be renewed after its lifetime
   */
  public Catalogue(long graceMillis, PublishedLocation location) {
    this.graceMillis = graceMillis;
    this.location = location;
  }

  /**
   * Applies a change of the feed; facts of other slots are ignored.
   *
   * @param now unix time in ms
   * @return whether the answer of a lookup may have changed
   */
  public boolean fold(Change change, long now) {
    lock.writeLock().lock();
    try {
      CatalogueEntry known = entries.byId(change.id());
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

  private boolean put(Change change, Fact fact, @Nullable CatalogueEntry known, long now) {
    Registration.Stored registration = Registration.Stored.fromFact(fact.body());
    CatalogueEntry.Content content = content(change, registration);
    if (known == null) {
      // Parse before any state is changed, because unreadable links must leave the catalogue
      // unchanged.
      List<Link> links = content.parseLinks(change.id());
      CatalogueEntry entry = entries.add(change.id(), canonical(change.endpoint()), content);
      scheduleCheck(entry, content.expires());
      return show(entry, links, now);
    }
    CatalogueEntry.Content before = known.content();
    boolean shown = living.contains(known.ordinal());
    boolean same = isRenewal(before, content);
    List<Link> links = shown && same ? List.of() : content.parseLinks(change.id());
    if (shown && !same) {
      hide(known);
    }
    entries.replace(known, same ? reusing(before, content) : content);
    if (seconds(content.expires()) < known.due()) {
      scheduleCheck(known, content.expires());
    }
    boolean shows = shown && same || show(known, links, now);
    return shown != shows || !same;
  }

  private void scheduleCheck(CatalogueEntry entry, long millis) {
    entry.dueAt(seconds(millis));
    lifetimes.add(entry.due(), entry.ordinal());
  }

  private CatalogueEntry.Content content(Change change, Registration.Stored registration) {
    return new CatalogueEntry.Content(
        registration.origin(),
        registration.lifetime(),
        change.version(),
        change.at().toEpochMilli() + 1000 * registration.lifetime(),
        registration.parameters().stream().map(this::canonical).toList(),
        registration.links().intern(),
        registration.origin() instanceof Registration.Published ? location : null);
  }

  private Query.Parameter canonical(Query.Parameter parameter) {
    return new Query.Parameter(
        index.canonical(parameter.name(), parameter.name()),
        index.canonical(parameter.name(), parameter.value()));
  }

  private EndpointName canonical(EndpointName name) {
    return new EndpointName(name.ep(), index.canonical("d", name.d()));
  }

  private static boolean isRenewal(CatalogueEntry.Content before, CatalogueEntry.Content after) {
    return before.origin().equals(after.origin())
        && before.parameters().equals(after.parameters())
        && before.links().equals(after.links());
  }

  /** A renewal reuses the objects of the previous content. */
  private static CatalogueEntry.Content reusing(
      CatalogueEntry.Content before, CatalogueEntry.Content after) {
    return new CatalogueEntry.Content(
        before.origin(),
        after.lifetime(),
        after.version(),
        after.expires(),
        before.parameters(),
        before.links(),
        before.location());
  }

  private boolean show(CatalogueEntry entry, List<Link> links, long now) {
    if (entry.content().expires() <= now) {
      return false;
    }
    living.add(entry.ordinal());
    if (entry.content().origin() instanceof Registration.Published) {
      published.add(entry.ordinal());
    }
    IndexedValues.forEach(entry, links, (attribute, value) -> index.add(attribute, value, entry));
    return true;
  }

  private void hide(CatalogueEntry entry) {
    living.remove(entry.ordinal());
    published.remove(entry.ordinal());
    IndexedValues.forEach(
        entry,
        entry.content().parseLinks(entry.id()),
        (attribute, value) -> index.remove(attribute, value, entry));
  }

  private boolean drop(CatalogueEntry entry) {
    boolean shown = hideIfShown(entry);
    entries.remove(entry);
    return shown;
  }

  /**
   * Hides entries whose lifetime has ended. Returns the entries whose grace period has also ended,
   * for the caller to remove from the store. If there are too many at once, later calls continue.
   *
   * @param now unix time in ms
   */
  public Expiry expire(long now) {
    lock.writeLock().lock();
    try {
      List<CatalogueEntry> hidden = new ArrayList<>();
      List<CatalogueEntry> removable = new ArrayList<>();
      while (lifetimes.earliest() <= now / 1000 && removable.size() < MAX_AT_ONCE) {
        long due = lifetimes.earliest();
        CatalogueEntry entry = entries.at(lifetimes.take());
        if (entry == null || entry.due() != due) {
          continue;
        }
        long expires = entry.content().expires();
        if (expires > now) {
          scheduleCheck(entry, expires);
          continue;
        }
        if (hideIfShown(entry)) {
          hidden.add(entry);
        }
        long graceEnd = entry.content().graceEnd(graceMillis);
        if (graceEnd > now) {
          scheduleCheck(entry, graceEnd);
        } else {
          removable.add(entry);
          scheduleCheck(entry, now + RETRY_MILLIS);
        }
      }
      return new Expiry(hidden, removable);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * @param hidden entries that lookups no longer show
   * @param removable entries whose grace period has ended; an entry whose removal fails is returned
   *     again
   */
  public record Expiry(List<CatalogueEntry> hidden, List<CatalogueEntry> removable) {}

  private boolean hideIfShown(CatalogueEntry entry) {
    boolean shown = living.contains(entry.ordinal());
    if (shown) {
      hide(entry);
    }
    return shown;
  }

  /**
   * Chooses the strangers' entries that give way to a newcomer: the longest unchanged entries of
   * the greediest sources. The caller removes them from the store, or {@link #keep}s them.
   *
   * @param linkOctets size of the newcomer's links
   * @param octets of memory that are needed
   * @return entries with at least that much memory, or none
   */
  public List<CatalogueEntry> evictFor(Source newcomer, int linkOctets, long octets) {
    lock.writeLock().lock();
    try {
      return entries.strangers().evictFor(newcomer, StrangerEntries.weight(linkOctets), octets);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Chooses the stranger's entry that gives way first to entries with trusted credentials. */
  public Optional<CatalogueEntry> evictFirst() {
    lock.writeLock().lock();
    try {
      return entries.strangers().evictFirst();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Drops an entry that was chosen to give way while the catalogue is being filled. */
  public void leaveOut(CatalogueEntry entry) {
    lock.writeLock().lock();
    try {
      if (entries.byId(entry.id()) == entry) {
        drop(entry);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Keeps an entry that was chosen to give way but could not be removed from the store. */
  public void keep(CatalogueEntry entry) {
    lock.writeLock().lock();
    try {
      if (entries.byId(entry.id()) == entry) {
        entries.strangers().hold(entry);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  private static long seconds(long millis) {
    return Math.ceilDiv(millis, 1000);
  }

  /** All entries, live or in their grace period; unordered. */
  public List<CatalogueEntry> all() {
    lock.readLock().lock();
    try {
      return entries.all();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** An entry, living or in its grace period. */
  public Optional<CatalogueEntry> byId(String id) {
    lock.readLock().lock();
    try {
      return Optional.ofNullable(entries.byId(id));
    } finally {
      lock.readLock().unlock();
    }
  }

  /** An entry, living or in its grace period. */
  public Optional<CatalogueEntry> byName(EndpointName name) {
    lock.readLock().lock();
    try {
      return entries.byName(name);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** The number of entries, including entries in their grace period. */
  public int entryCount() {
    lock.readLock().lock();
    try {
      return entries.size();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** An estimate of the memory of all entries and indexes. */
  public long octets() {
    lock.readLock().lock();
    try {
      return entries.octets() + index.octets();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** An estimate of the memory of an entry, without indexes. */
  public static long octets(CatalogueEntry.Content content) {
    return EntryTable.octets(content);
  }

  /** The number of live entries. */
  public int size() {
    lock.readLock().lock();
    try {
      return living.size();
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Runs a search. The search yields to waiting writers every {@link #YIELD_AFTER}, because each
   * change makes the store's feed thread wait, and all acknowledgements wait for that thread.
   *
   * @param budget is charged with the cost of the search, and may end it by throwing
   * @param now unix time in ms
   */
  public void search(LookupSearch search, LookupBudget budget, long now) {
    int from = 0;
    while (from != OrdinalSet.NONE) {
      from = searchFrom(search, budget, now, from);
    }
  }

  /**
   * @return the ordinal at which to continue after yielding; {@link OrdinalSet#NONE} at the end
   */
  private int searchFrom(LookupSearch search, LookupBudget budget, long now, int from) {
    lock.readLock().lock();
    try {
      Candidates candidates =
          Candidates.choose(
              search, new Candidates.Indexes(entries, index, living, published, location), budget);
      long spent = 0;
      for (int at = candidates.nextFrom(from);
          at != OrdinalSet.NONE && !search.isComplete();
          at = candidates.nextFrom(at + 1)) {
        CatalogueEntry entry = entries.at(at);
        if (entry != null && living.contains(at) && entry.content().expires() > now) {
          long cost = search.consider(entry);
          spent += cost;
          budget.charge(cost);
        }
        if (spent > YIELD_AFTER && lock.hasQueuedThreads()) {
          return at + 1;
        }
      }
      return OrdinalSet.NONE;
    } finally {
      lock.readLock().unlock();
    }
  }
}
