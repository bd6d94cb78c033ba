package dev.vigil.directory.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CatalogueTest {
  private final Catalogue catalogue =
      new Catalogue(0, new PublishedLocation("", "/served", "/signers", ContentFormat.JWK));
  private long version;

  private void fold(int endpoint, Fact fact) {
    catalogue.fold(
        new Change(
            ++version,
            "id" + endpoint,
            new EndpointName("n" + endpoint, ""),
            Instant.EPOCH,
            0,
            version,
            List.of(fact)),
        1);
  }

  private static Fact registration(String links) {
    return new Registration(
            new Registration.Direct("coap://h"),
            100,
            LinkFormat.parse(links, LinkFormat.Limits.NONE),
            List.of())
        .toFact();
  }

  private static String someLinks(Random random) {
    return IntStream.range(0, 1 + random.nextInt(5))
        .mapToObj(i -> "</%d>;rt=\"%d %d\";x%d".formatted(i, random.nextInt(9), i, i))
        .collect(Collectors.joining(","));
  }

  @Test
  void removalReturnsTheMemoryThatWasCounted() {
    Random random = new Random(9176);
    for (int i = 0; i < 3_000; i++) {
      int endpoint = random.nextInt(100);
      boolean removed = random.nextInt(3) == 0;
      fold(endpoint, removed ? Fact.none(Registration.SLOT) : registration(someLinks(random)));
      assertThat(catalogue.octets() > 0).isEqualTo(catalogue.entryCount() > 0);
    }
    for (int endpoint = 0; endpoint < 100; endpoint++) {
      fold(endpoint, Fact.none(Registration.SLOT));
    }
    assertThat(catalogue.octets()).isZero();
  }

  /** Otherwise removals after a long pause would fill the store's queue. */
  @Test
  void entriesToRemoveAreReturnedInPartsUntilTheyAreGone() {
    int entries = Catalogue.MAX_AT_ONCE + 1;
    for (int endpoint = 0; endpoint < entries; endpoint++) {
      fold(endpoint, registration("</a>"));
    }
    assertThat(catalogue.expire(100_000).removable()).hasSize(Catalogue.MAX_AT_ONCE);
    assertThat(catalogue.expire(100_000).removable()).hasSize(1);
    assertThat(catalogue.expire(159_999).removable()).isEmpty();
    fold(0, Fact.none(Registration.SLOT));
    fold(1, Fact.none(Registration.SLOT));
    assertThat(catalogue.expire(160_000).removable()).hasSize(entries - 2);
  }

  @Test
  void aLongSearchYieldsToChangesAndFindsEachEntryOnce() {
    String links =
        IntStream.range(0, 100).mapToObj(i -> "</" + i + ">;rt=x").collect(Collectors.joining(","));
    for (int endpoint = 0; endpoint < 3_000; endpoint++) {
      fold(endpoint, registration(links));
    }
    Thread store = Thread.ofPlatform().unstarted(() -> fold(3_000, registration("</late>")));
    AtomicBoolean foldedDuringSearch = new AtomicBoolean();
    LookupSearch.Resources search =
        new LookupSearch.Resources(
            List.of(),
            new GatewayBase("", "", OwnAuthorities.UNKNOWN),
            any -> true,
            new LookupSearch.Range(0, 1_000_000, Long.MAX_VALUE));
    catalogue.search(
        search,
        spent -> {
          if (store.getState() == Thread.State.NEW) {
            store.start();
            while (store.getState() != Thread.State.WAITING) {
              LockSupport.parkNanos(100_000);
            }
          }
          foldedDuringSearch.compareAndSet(false, catalogue.byId("id3000").isPresent());
        },
        1);
    assertThat(foldedDuringSearch).as("a change during the search").isTrue();
    assertThat(search.found()).hasSize(300_001);
  }
}
