package dev.vigil.directory.catalogue;

import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.coap.limits.FairPool;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.Source.Standing;
import dev.vigil.directory.publishing.Registrant;
import dev.vigil.directory.publishing.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entries of registrants without trusted credentials, by source. When the catalogue is full,
 * they give way, starting with the longest unchanged entry of the greediest source. Guarded by the
 * catalogue's lock.
 */
final class StrangerEntries {
  /** This many octets of links weigh as much as the entry itself. */
  private static final int WEIGHT_OCTETS = 256;

  /** The source of entries that earlier versions stored without an address. */
  private static final SourceAddress UNKNOWN = new SourceAddress(0, 0);

  /** Maximum number of entries that give way to one newcomer; each costs a write. */
  private static final int MAX_EVICTED = 256;

  private static final int NO_BOUND = Integer.MAX_VALUE;

  /** The catalogue's memory is the bound, so the pool itself has none. */
  private final FairPool<CatalogueEntry> pool =
      new FairPool<>(new FairPool.Bounds(NO_BOUND, NO_BOUND, NO_BOUND), entry -> {});

  /** An entry's weight among the entries of its source. */
  static int weight(long linkOctets) {
    return Math.toIntExact(1 + linkOctets / WEIGHT_OCTETS);
  }

  /** Counts a new or changed entry. */
  void hold(CatalogueEntry entry) {
    release(entry);
    if (entry.content().origin() instanceof Registration.Direct direct
        && direct.registrant().isStranger()) {
      entry.place =
          pool.hold(source(direct.registrant()), entry, weight(entry.content().links().length()));
    }
  }

  void release(CatalogueEntry entry) {
    FairPool<CatalogueEntry>.@Nullable Place place = entry.place;
    if (place != null) {
      place.release();
      entry.place = null;
    }
  }

  private static Source source(Registrant registrant) {
    SourceAddress known = registrant.source();
    return Source.of(
        registrant.verified() ? Standing.VERIFIED : Standing.UNVERIFIED,
        known == null ? UNKNOWN : known);
  }

  /**
   * Releases the entries that give way to a newcomer and together hold the needed octets; releases
   * none if they do not suffice.
   *
   * @param weight of the newcomer's entry
   * @param octets memory to free, at least
   */
  List<CatalogueEntry> evictFor(Source newcomer, int weight, long octets) {
    List<CatalogueEntry> victims = new ArrayList<>();
    for (long freed = 0; freed < octets; ) {
      CatalogueEntry victim =
          victims.size() < MAX_EVICTED ? pool.greediest(newcomer, weight) : null;
      if (victim == null) {
        victims.forEach(this::hold);
        return List.of();
      }
      release(victim);
      victims.add(victim);
      freed += EntryTable.octets(victim.content());
    }
    return victims;
  }

  /** Releases the entry that gives way first; empty if there is none. */
  Optional<CatalogueEntry> evictFirst() {
    CatalogueEntry victim = pool.greediestBelow(Standing.AUTHENTICATED);
    if (victim == null) {
      return Optional.empty();
    }
    release(victim);
    return Optional.of(victim);
  }

  /** An estimate of the memory of all places. */
  long octets() {
    return pool.octets();
  }
}
