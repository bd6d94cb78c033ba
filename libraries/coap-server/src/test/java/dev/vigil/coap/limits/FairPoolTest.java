package dev.vigil.coap.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.limits.Source.Standing;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FairPoolTest {
  private final List<String> displaced = new ArrayList<>();

  private static Source source(Standing standing, String address) {
    try {
      return Source.of(standing, InetAddress.getByName(address));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(address, e);
    }
  }

  private static Source verified(String address) {
    return source(Standing.VERIFIED, address);
  }

  private FairPool<String> pool(int total, int unverified, int unauthenticated) {
    return new FairPool<>(new FairPool.Bounds(total, unverified, unauthenticated), displaced::add);
  }

  @Test
  void givesFreePlacesToAnybody() {
    FairPool<String> pool = pool(8, 8, 8);
    for (int i = 0; i < 8; i++) {
      assertThat(pool.admit(verified("2001:db8::1"), "a" + i)).isNotNull();
    }
    assertThat(pool.size()).isEqualTo(8);
    assertThat(displaced).isEmpty();
  }

  @Test
  void displacesTheNewestPlaceWhereTheFirstOnesStay() {
    FairPool<String> pool =
        new FairPool<>(new FairPool.Bounds(3, 3, 3), FairPool.Leaving.NEWEST, displaced::add);
    pool.admit(verified("192.0.2.1"), "first");
    pool.admit(verified("192.0.2.1"), "second");
    pool.admit(verified("192.0.2.1"), "third");
    assertThat(pool.admit(verified("192.0.2.1"), "fourth")).isNull();

    assertThat(pool.admit(verified("192.0.2.2"), "newcomer")).isNotNull();
    assertThat(pool.admit(verified("192.0.2.3"), "late")).isNotNull();

    assertThat(displaced).containsExactly("third", "second");
    assertThat(pool.admit(verified("192.0.2.4"), "too late")).isNull();
  }

  @Test
  void displacesTheLongestIdlePlaceOfTheGreediestSource() {
    FairPool<String> pool = pool(4, 4, 4);
    FairPool<String>.Place first =
        Objects.requireNonNull(pool.admit(verified("192.0.2.1"), "first"));
    pool.admit(verified("192.0.2.1"), "second");
    pool.admit(verified("192.0.2.1"), "third");
    pool.admit(verified("192.0.2.2"), "other");
    first.touch();

    assertThat(pool.admit(verified("192.0.2.3"), "newcomer")).isNotNull();

    assertThat(displaced).containsExactly("second");
    assertThat(pool.size()).isEqualTo(4);
  }

  @Test
  void aSourceWithItsShareDisplacesItsOwnLongestIdlePlace() {
    FairPool<String> pool = pool(2, 2, 2);
    pool.admit(verified("192.0.2.1"), "a");
    pool.admit(verified("192.0.2.2"), "b");

    assertThat(pool.admit(verified("192.0.2.1"), "a2")).isNotNull();

    assertThat(displaced).containsExactly("a");
  }

  @Test
  void refusesANewcomerWhenEverySourceHasOnePlace() {
    FairPool<String> pool = pool(2, 2, 2);
    pool.admit(verified("192.0.2.1"), "a");
    pool.admit(verified("192.0.2.2"), "b");

    assertThat(pool.admit(verified("192.0.2.3"), "c")).isNull();

    assertThat(displaced).isEmpty();
  }

  @Test
  void manyAddressesOfOneNetworkLeavePlacesToOthers() {
    FairPool<String> pool = pool(64, 64, 64);
    for (int i = 0; i < 1_000; i++) {
      pool.admit(verified("2001:db8:1:1::" + Integer.toHexString(i + 1)), "crowd");
    }
    assertThat(pool.size()).isEqualTo(64);
    int admitted = 0;
    for (int i = 0; i < 40; i++) {
      admitted +=
          pool.admit(verified("2001:db8:2::" + Integer.toHexString(i + 1)), "b") == null ? 0 : 1;
    }
    // Two networks with equal demand get half each (the last place does not move back and forth).
    assertThat(admitted).isBetween(31, 40);
    assertThat(displaced.stream().filter("crowd"::equals).count()).isGreaterThanOrEqualTo(31);
  }

  @Test
  void manyNetworksOfOneSiteLeavePlacesToOthers() {
    FairPool<String> pool = pool(60, 60, 60);
    for (int i = 0; i < 1_000; i++) {
      pool.admit(verified("2001:db8:1:" + Integer.toHexString(i + 1) + "::1"), "site");
    }
    displaced.clear();
    for (int i = 0; i < 20; i++) {
      assertThat(pool.admit(verified("198.51.100." + (i + 1)), "honest")).isNotNull();
    }
    assertThat(displaced).hasSize(20).containsOnly("site");
  }

  @Test
  void manyAddressesBehindOneNeighbourLeavePlacesToOtherNeighbours() {
    FairPool<String> pool = pool(60, 60, 60);
    for (int i = 1; i <= 1_000; i++) {
      pool.admit(mote(i, 1), "crowd");
    }
    displaced.clear();
    for (int i = 1; i <= 20; i++) {
      assertThat(pool.admit(mote(0x10000 + i, 2 + i % 2), "honest")).isNotNull();
    }
    assertThat(displaced).hasSize(20).containsOnly("crowd");
  }

  private static Source mote(int number, long neighbour) {
    InetAddress address =
        InetAddress.ofLiteral("fd00::%x:%x".formatted(number >> 16, number & 0xffff));
    return Source.ofTrusted(Standing.VERIFIED, address, OptionalLong.of(neighbour));
  }

  @Test
  void unverifiedSourcesNeverDisplaceVerifiedOnes() {
    FairPool<String> pool = pool(16, 8, 12);
    for (int i = 0; i < 12; i++) {
      pool.admit(verified("192.0.2.1"), "verified");
    }
    assertThat(pool.admit(source(Standing.UNVERIFIED, "203.0.113.1"), "forged")).isNull();
    assertThat(displaced).isEmpty();
  }

  @Test
  void aReserveIsLeftToAuthenticatedSources() {
    FairPool<String> pool = pool(16, 8, 12);
    for (int i = 0; i < 100; i++) {
      pool.admit(source(Standing.UNVERIFIED, "203.0.113." + i), "forged");
      pool.admit(verified("192.0.2." + i), "verified");
    }
    displaced.clear();
    for (int i = 0; i < 4; i++) {
      assertThat(pool.admit(source(Standing.AUTHENTICATED, "192.0.2.250"), "key")).isNotNull();
    }
    assertThat(displaced).isEmpty();
    assertThat(pool.admit(source(Standing.AUTHENTICATED, "192.0.2.250"), "key")).isNotNull();
    assertThat(displaced).hasSize(1);
    assertThat(pool.size()).isEqualTo(16);
  }

  /** Compares the shares under random demand with their definition. */
  @Test
  void keepsItsBoundsAndItsFairnessForAnyDemand() {
    Random random = new Random(20261122);
    FairPool<String> pool = pool(40, 15, 30);
    Map<String, FairPool<String>.Place> held = new HashMap<>();
    Map<String, Source> sources = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      displaced.clear();
      if (random.nextInt(4) == 0 && !held.isEmpty()) {
        String any = held.keySet().iterator().next();
        FairPool<String>.Place place = Objects.requireNonNull(held.remove(any));
        sources.remove(any);
        place.release();
        place.release();
      } else {
        String holder = "h" + i;
        Source source = any(random);
        FairPool<String>.Place place = pool.admit(source, holder);
        Set<String> lost = new LinkedHashSet<>(displaced);
        for (String one : lost) {
          Source loser = Objects.requireNonNull(sources.remove(one), "displaced without a place");
          assertThat(loser.standing()).isLessThanOrEqualTo(source.standing());
          held.remove(one);
        }
        if (place != null) {
          held.put(holder, place);
          sources.put(holder, source);
        } else {
          assertThat(lost).isEmpty();
        }
      }
      assertThat(pool.size()).isEqualTo(held.size()).isLessThanOrEqualTo(40);
      assertThat(pool.size(Standing.UNVERIFIED)).isLessThanOrEqualTo(15);
      assertThat(pool.size(Standing.UNVERIFIED) + pool.size(Standing.VERIFIED))
          .isLessThanOrEqualTo(30);
    }
  }

  /** Uses few sites, networks and addresses, so that every level is contended. */
  private static Source any(Random random) {
    Standing standing = Standing.values()[random.nextInt(3)];
    return random.nextInt(4) == 0
        ? source(standing, "192.0.2." + random.nextInt(5))
        : source(
            standing,
            "2001:db8:"
                + random.nextInt(3)
                + ":"
                + random.nextInt(3)
                + "::"
                + (1 + random.nextInt(4)));
  }

  @Test
  void heldPlacesWeighAndTheHeaviestSourceIsTheGreediest() {
    FairPool<String> pool = pool(1, 1, 1);
    FairPool<String>.Place heavy = pool.hold(verified("192.0.2.1"), "heavy", 9);
    pool.hold(verified("192.0.2.2"), "light", 2);
    pool.hold(verified("192.0.2.2"), "light too", 2);
    assertThat(pool.size()).isEqualTo(13);
    assertThat(pool.greediest(verified("192.0.2.3"), 8)).isEqualTo("heavy");
    assertThat(pool.greediest(verified("192.0.2.3"), 9)).isNull();
    assertThat(pool.greediest(verified("192.0.2.1"), 1)).as("itself").isNull();
    heavy.release();
    assertThat(pool.greediest(verified("192.0.2.3"), 1)).isEqualTo("light");
    assertThat(displaced).isEmpty();
  }

  @Test
  void unverifiedSourcesCountAsOneAndDisplaceNobody() {
    FairPool<String> pool = pool(1, 1, 1);
    for (int i = 0; i < 5; i++) {
      pool.hold(source(Standing.UNVERIFIED, "2001:db8:" + i + "::1"), "forged " + i, 1);
    }
    pool.hold(verified("192.0.2.1"), "verified", 4);
    assertThat(pool.greediest(source(Standing.UNVERIFIED, "2001:db8:9::1"), 1)).isNull();
    assertThat(pool.greediest(verified("192.0.2.2"), 1)).startsWith("forged");
    assertThat(pool.greediest(verified("192.0.2.1"), 1)).isNull();
    assertThat(pool.greediestBelow(Standing.AUTHENTICATED)).startsWith("forged");
    assertThat(pool.greediestBelow(Standing.UNVERIFIED)).isNull();
  }

  @Test
  void memoryIsCountedAndReturned() {
    FairPool<String> pool = pool(1, 1, 1);
    FairPool<String>.Place one = pool.hold(verified("2001:db8::1"), "one", 1);
    long octets = pool.octets();
    FairPool<String>.Place two = pool.hold(verified("2001:db8::1"), "two", 5);
    assertThat(pool.octets() - octets).as("the second of an address").isBetween(1L, octets / 2);
    one.release();
    two.release();
    assertThat(pool.octets()).isZero();
  }
}
