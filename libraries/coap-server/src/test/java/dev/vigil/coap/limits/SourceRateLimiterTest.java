package dev.vigil.coap.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.limits.RateLimiter.Rate;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SourceRateLimiterTest {
  private static final Rate TEN_A_MINUTE = Rate.perMinute(10);

  private Instant now = Instant.parse("2026-11-22T12:00:00Z");
  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return now;
        }

        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }
      };
  private final SourceRateLimiter limiter = new SourceRateLimiter(clock);

  private static Source source(String address, boolean trusted) {
    InetSocketAddress socket = new InetSocketAddress(InetAddress.ofLiteral(address), 1);
    return Source.of(new Caller(socket, true, trusted, false, new Caller.Anonymous()));
  }

  private static Source mote(String address, long neighbour) {
    InetSocketAddress socket = new InetSocketAddress(InetAddress.ofLiteral(address), 1);
    return Source.of(
        new Caller(socket, true, true, false, new Caller.Anonymous(), OptionalLong.of(neighbour)));
  }

  /** The number of events that a source may cause now; at most 1000. */
  private int accepted(Source source) {
    int accepted = 0;
    while (accepted < 1000 && limiter.tryCharge(source, "", TEN_A_MINUTE) == 0) {
      accepted++;
    }
    return accepted;
  }

  private int accepted(String address) {
    return accepted(source(address, false));
  }

  @Test
  void limitsAnAddressAndReportsWhenToRetry() {
    assertThat(accepted("192.0.2.1")).isEqualTo(10);
    assertThat(accepted("192.0.2.2")).isEqualTo(10);
    assertThat(limiter.tryCharge(source("192.0.2.1", false), "", TEN_A_MINUTE)).isEqualTo(6);
    assertThat(limiter.allows(source("192.0.2.1", false), "other scope", TEN_A_MINUTE)).isTrue();
    now = now.plusSeconds(6);
    assertThat(accepted("192.0.2.1")).isEqualTo(1);
    now = now.plus(Duration.ofHours(1));
    assertThat(accepted("192.0.2.1")).isEqualTo(10);
  }

  @Test
  void oneAddressLeavesThreeQuartersOfItsNetwork() {
    for (int i = 0; i < 5; i++) {
      accepted("2001:db8::1");
    }
    assertThat(accepted("2001:db8::2")).isEqualTo(10);
  }

  @Test
  void manyAddressesOfANetworkHaveFourTimesTheLimitOfOne() {
    int all = 0;
    for (int i = 1; i <= 64; i++) {
      all += accepted("2001:db8::" + i);
    }
    assertThat(all).isEqualTo(40);
    assertThat(accepted("2001:db8:0:1::1")).as("another /64").isEqualTo(10);
  }

  @Test
  void manyNetworksOfASiteHaveSixteenTimesTheLimitOfOne() {
    int all = 0;
    for (int i = 1; i <= 64; i++) {
      all += accepted("2001:db8:0:" + i + "::1");
    }
    assertThat(all).isEqualTo(160);
    assertThat(accepted("2001:db8:1::1")).as("another /48").isEqualTo(10);
  }

  @Test
  void trustedNetworksCountByAddress() {
    for (int i = 1; i <= 64; i++) {
      assertThat(accepted(source("fd00::" + i, true))).isEqualTo(10);
    }
  }

  @Test
  void manyAddressesBehindANeighbourHaveSixteenTimesTheLimitOfOne() {
    int all = 0;
    for (int i = 1; i <= 64; i++) {
      all += accepted(mote("fd00::" + i, 1));
    }
    assertThat(all).isEqualTo(160);
    assertThat(accepted(mote("fd00::1:1", 2))).as("behind another neighbour").isEqualTo(10);
    assertThat(accepted("0:0:0:1::7")).as("a network of the neighbour's number").isEqualTo(10);
  }

  @Test
  void aSiteWithManyAddressesFlushesNoOtherBucket() {
    accepted("192.0.2.1");
    for (int i = 0; i < 40_000; i++) {
      limiter.tryCharge(
          source("2001:db8:2:%x::%x".formatted(i % 256, i % 65_536), false), "", TEN_A_MINUTE);
    }
    assertThat(accepted("192.0.2.1")).isZero();
  }

  @Test
  void nobodyOwesMoreThanAFullBucket() {
    limiter.charge(source("192.0.2.1", false), "", 1_000_000, TEN_A_MINUTE);
    now = now.plusSeconds(66);
    assertThat(accepted("192.0.2.1")).isEqualTo(1);
  }

  @Test
  void aClockSetBackLocksNobodyOut() {
    accepted("192.0.2.1");
    now = now.minus(Duration.ofHours(1));
    assertThat(accepted("192.0.2.1")).isEqualTo(10);
  }
}
