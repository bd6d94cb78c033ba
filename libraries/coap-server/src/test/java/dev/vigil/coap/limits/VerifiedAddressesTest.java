package dev.vigil.coap.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VerifiedAddressesTest {
  private static final InetAddress HONEST = InetAddress.ofLiteral("198.51.100.1");

  private long now;
  private final VerifiedAddresses addresses = new VerifiedAddresses(100, () -> now);

  private static InetSocketAddress at(InetAddress address, int port) {
    return new InetSocketAddress(address, port);
  }

  @Test
  void aPortIsProvedForFiveMinutes() {
    addresses.add(at(HONEST, 5683));
    assertThat(addresses.isRecent(at(HONEST, 5683))).isTrue();
    assertThat(addresses.isRecent(at(HONEST, 5684))).isFalse();
    now = TimeUnit.MINUTES.toNanos(5) - 1;
    assertThat(addresses.isRecent(at(HONEST, 5683))).isTrue();
    now++;
    assertThat(addresses.isRecent(at(HONEST, 5683))).isFalse();
    assertThat(addresses.contains(HONEST)).isTrue();
  }

  @Test
  void theProvedPortsOfAnAddressAreBounded() {
    for (int port = 1; port <= 10_000; port++) {
      addresses.add(at(HONEST, port));
    }
    assertThat(
            IntStream.rangeClosed(1, 10_000)
                .filter(port -> addresses.isRecent(at(HONEST, port)))
                .count())
        .isBetween(1L, 16L);
    assertThat(addresses.isRecent(at(HONEST, 10_000))).isTrue();
  }

  @Test
  void containsProvenAddresses() {
    addresses.add(at(HONEST, 5683));
    addresses.add(at(HONEST, 5683));
    assertThat(addresses.contains(HONEST)).isTrue();
    assertThat(addresses.contains(InetAddress.ofLiteral("198.51.100.2"))).isFalse();
  }

  @Test
  void aSiteWithManyAddressesDisplacesNobodyElse() {
    addresses.add(at(HONEST, 5683));
    for (int i = 1; i <= 10_000; i++) {
      addresses.add(at(InetAddress.ofLiteral("2001:db8:bad:%x::1".formatted(i)), 5683));
    }
    assertThat(addresses.contains(HONEST)).isTrue();
    InetAddress newcomer = InetAddress.ofLiteral("203.0.113.1");
    addresses.add(at(newcomer, 5683));
    assertThat(addresses.contains(newcomer)).isTrue();
  }

  @Test
  void theLongestUnusedAddressOfTheGreediestNetworkLeaves() {
    for (int i = 1; i <= 100; i++) {
      addresses.add(at(InetAddress.ofLiteral("2001:db8::%x".formatted(i)), 5683));
    }
    addresses.add(at(InetAddress.ofLiteral("2001:db8::1"), 5683));
    addresses.add(at(HONEST, 5683));
    assertThat(addresses.contains(InetAddress.ofLiteral("2001:db8::1"))).isTrue();
    long left =
        IntStream.rangeClosed(1, 100)
            .filter(i -> !addresses.contains(InetAddress.ofLiteral("2001:db8::%x".formatted(i))))
            .count();
    assertThat(left).isEqualTo(1);
  }

  /** Proves 100 addresses, each the only one of its network. */
  private void fill() {
    for (int i = 1; i <= 100; i++) {
      addresses.add(at(ofNetwork(i), 5683));
    }
  }

  private static InetAddress ofNetwork(int number) {
    return InetAddress.ofLiteral("192.0.2." + number);
  }

  @Test
  void anAddressWhoseProofExpiredGivesWayToANewcomer() {
    fill();
    now = TimeUnit.MINUTES.toNanos(6);
    addresses.add(at(HONEST, 5683));
    assertThat(addresses.isRecent(at(HONEST, 5683))).isTrue();
    assertThat(addresses.contains(ofNetwork(1))).isFalse();
    assertThat(addresses.contains(ofNetwork(2))).isTrue();
  }

  @Test
  void noAddressGivesWayWhileItsProofCounts() {
    fill();
    now = TimeUnit.MINUTES.toNanos(5) - 1;
    addresses.add(at(HONEST, 5683));
    assertThat(addresses.contains(HONEST)).isFalse();
    assertThat(addresses.contains(ofNetwork(1))).isTrue();
  }

  @Test
  void theAddressProvedLongestAgoGivesWayFirst() {
    fill();
    now = TimeUnit.MINUTES.toNanos(4);
    addresses.add(at(ofNetwork(1), 5684));
    now = TimeUnit.MINUTES.toNanos(6);
    addresses.add(at(HONEST, 5683));
    assertThat(addresses.contains(ofNetwork(1))).isTrue();
    assertThat(addresses.contains(ofNetwork(2))).isFalse();
  }

  @Test
  void oneNetworkTakesAtMostHalfOfTheExpiredPlaces() {
    fill();
    now = TimeUnit.MINUTES.toNanos(6);
    addNetworksOfASite(1, 10_000);
    assertThat(IntStream.rangeClosed(1, 100).filter(i -> addresses.contains(ofNetwork(i))).count())
        .isEqualTo(50);
  }

  @Test
  void aSiteDisplacesItsOwnExpiredAddressesOnly() {
    addresses.add(at(HONEST, 5683));
    now = TimeUnit.MINUTES.toNanos(6);
    addNetworksOfASite(1, 200);
    now = TimeUnit.MINUTES.toNanos(12);
    addNetworksOfASite(201, 300);
    assertThat(addresses.contains(HONEST)).isTrue();
    assertThat(addresses.contains(InetAddress.ofLiteral("2001:db8:bad:%x::1".formatted(299))))
        .isTrue();
  }

  private void addNetworksOfASite(int first, int last) {
    for (int i = first; i <= last; i++) {
      addresses.add(at(InetAddress.ofLiteral("2001:db8:bad:%x::1".formatted(i)), 5683));
    }
  }
}
