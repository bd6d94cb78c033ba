package dev.vigil.directory.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CatalogueTest {
  private final Catalogue catalogue = new Catalogue(0);
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
  void whatWasCountedForAnEntryGoesWithIt() {
    Random random = new Random(9176);
    for (int i = 0; i < 3_000; i++) {
      int endpoint = random.nextInt(100);
      boolean gone = random.nextInt(3) == 0;
      fold(endpoint, gone ? Fact.none(Registration.SLOT) : registration(someLinks(random)));
      assertThat(catalogue.octets() > 0).isEqualTo(catalogue.held() > 0);
    }
    for (int endpoint = 0; endpoint < 100; endpoint++) {
      fold(endpoint, Fact.none(Registration.SLOT));
    }
    assertThat(catalogue.octets()).isZero();
  }

  @Test
  void aLongSearchLetsChangesPassAndStillFindsEachOnce() {
    String links =
        IntStream.range(0, 100).mapToObj(i -> "</" + i + ">;rt=x").collect(Collectors.joining(","));
    for (int endpoint = 0; endpoint < 3_000; endpoint++) {
      fold(endpoint, registration(links));
    }
    AtomicBoolean passed = new AtomicBoolean();
    Thread store =
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  fold(3_000, registration("</late>"));
                  passed.set(true);
                });
    AtomicBoolean meanwhile = new AtomicBoolean();
    Search.Resources search = new Search.Resources(List.of(), "", any -> true, 0, 1_000_000);
    catalogue.search(
        search,
        spent -> {
          if (store.getState() == Thread.State.NEW) {
            store.start();
            while (store.getState() != Thread.State.WAITING) {
              LockSupport.parkNanos(100_000);
            }
          }
          meanwhile.compareAndSet(false, passed.get());
        },
        1);
    assertThat(meanwhile).as("a change while the search went on").isTrue();
    assertThat(search.found()).hasSize(300_001);
  }
}
