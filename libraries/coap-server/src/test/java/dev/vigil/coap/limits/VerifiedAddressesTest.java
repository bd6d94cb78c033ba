package dev.vigil.coap.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VerifiedAddressesTest {
  private static final InetAddress HONEST = InetAddress.ofLiteral("198.51.100.1");

  private final VerifiedAddresses addresses = new VerifiedAddresses(100);

  @Test
  void containsProvenAddresses() {
    addresses.add(HONEST);
    addresses.add(HONEST);
    assertThat(addresses.contains(HONEST)).isTrue();
    assertThat(addresses.contains(InetAddress.ofLiteral("198.51.100.2"))).isFalse();
  }

  @Test
  void aSiteWithManyAddressesDisplacesNobodyElse() {
    addresses.add(HONEST);
    for (int i = 1; i <= 10_000; i++) {
      addresses.add(InetAddress.ofLiteral("2001:db8:bad:%x::1".formatted(i)));
    }
    assertThat(addresses.contains(HONEST)).isTrue();
    InetAddress newcomer = InetAddress.ofLiteral("203.0.113.1");
    addresses.add(newcomer);
    assertThat(addresses.contains(newcomer)).isTrue();
  }

  @Test
  void theLongestUnusedAddressOfTheGreediestNetworkLeaves() {
    for (int i = 1; i <= 100; i++) {
      addresses.add(InetAddress.ofLiteral("2001:db8::%x".formatted(i)));
    }
    addresses.add(InetAddress.ofLiteral("2001:db8::1"));
    addresses.add(HONEST);
    assertThat(addresses.contains(InetAddress.ofLiteral("2001:db8::1"))).isTrue();
    long left =
        IntStream.rangeClosed(1, 100)
            .filter(i -> !addresses.contains(InetAddress.ofLiteral("2001:db8::%x".formatted(i))))
            .count();
    assertThat(left).isEqualTo(1);
  }
}
