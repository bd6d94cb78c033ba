package dev.vigil.coap.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SourceAddressTest {
  private static SourceAddress address(long interfaceId) {
    return new SourceAddress(0x2001_0db8L << 32, interfaceId);
  }

  /** Counts how often a table compares two addresses. */
  private record CountingKey(SourceAddress address, AtomicInteger comparisons)
      implements Comparable<CountingKey> {
    @Override
    public int compareTo(CountingKey other) {
      comparisons.incrementAndGet();
      return address.compareTo(other.address);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      comparisons.incrementAndGet();
      return other instanceof CountingKey counting && address.equals(counting.address);
    }

    @Override
    public int hashCode() {
      return address.hashCode();
    }
  }

  @Test
  void keepsHashTablesFastWithEqualHashes() {
    // The hash of a long is the exclusive or of its halves.
    List<SourceAddress> addresses =
        LongStream.range(1, 4_097).mapToObj(i -> address(i << 32 | i)).toList();
    assertThat(addresses)
        .extracting(SourceAddress::hashCode)
        .containsOnly(addresses.getFirst().hashCode());
    AtomicInteger comparisons = new AtomicInteger();
    Map<CountingKey, Integer> table = new HashMap<>();
    for (SourceAddress address : addresses) {
      table.merge(new CountingKey(address, comparisons), 1, Integer::sum);
    }
    // A tree takes about 100 comparisons per entry, rebuilding included; a list takes 2 000.
    assertThat(comparisons.get()).isLessThan(4_096 * 200);
  }

  @Test
  void equalsItsIpv4MappedAddress() throws UnknownHostException {
    SourceAddress four = SourceAddress.of(InetAddress.getByName("192.0.2.200"));
    assertThat(four).isEqualTo(SourceAddress.of(InetAddress.getByName("::ffff:192.0.2.200")));
    assertThat(four).isNotEqualTo(SourceAddress.of(InetAddress.getByName("192.0.2.201")));
    assertThat(SourceAddress.of(InetAddress.getByName("2001:db8::1")))
        .isEqualTo(address(1))
        .isGreaterThan(four)
        .isLessThan(address(-1));
  }
}
