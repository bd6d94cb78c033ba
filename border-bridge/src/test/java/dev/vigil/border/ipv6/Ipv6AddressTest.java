package dev.vigil.border.ipv6;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class Ipv6AddressTest {

  /**
   * A hash table orders keys with equal hashes if they are comparable (JEP 180). Without this
   * order, an attacker who chooses addresses with equal hashes makes each access a linear search.
   */
  @Test
  void addressesOfEqualHashHaveATotalOrder() {
    Random random = new Random(7);
    List<Ipv6Address> chosen =
        Stream.concat(
                // Both halves are equal, so that Long.hashCode is 0 for all addresses.
                LongStream.range(0, 64).mapToObj(i -> new Ipv6Address(1, i << 32 | i)),
                LongStream.range(0, 64)
                    .mapToObj(i -> new Ipv6Address(random.nextLong(), random.nextLong())))
            .toList();
    assertThat(chosen.subList(0, 64).stream().map(Ipv6Address::hashCode).distinct()).hasSize(1);
    for (Ipv6Address one : chosen) {
      for (Ipv6Address other : chosen) {
        assertThat(one.compareTo(other) == 0).isEqualTo(one.equals(other));
        assertThat(Integer.signum(one.compareTo(other)))
            .isEqualTo(-Integer.signum(other.compareTo(one)));
      }
    }
  }
}
