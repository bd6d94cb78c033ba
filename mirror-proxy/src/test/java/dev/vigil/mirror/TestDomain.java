package dev.vigil.mirror;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A domain that trusts on first use and is unlike the usual one in what a test is about. */
final class TestDomain {
  private final Domain usual;
  private List<String> commanders = List.of();
  private boolean rotateAtOnce = true;
  private boolean confidential;
  private boolean serveStale = true;
  private int endpoints = Domain.Limits.DEFAULT.endpoints();
  private int unprovenPerSource = Domain.Limits.DEFAULT.unprovenPerSource();
  private int namesPerMinute = Domain.Limits.DEFAULT.namesPerMinute();
  private int failuresPerMinute = Domain.Limits.DEFAULT.failuresPerMinute();
  private int registrationsPerMinute = Domain.Limits.DEFAULT.registrationsPerMinute();
  private int updatesPerMinutePerSource = Domain.Limits.DEFAULT.updatesPerMinutePerSource();
  private Duration historyAge = Domain.Limits.DEFAULT.historyAge();
  private long historyOctets = Domain.Limits.DEFAULT.historyOctets();

  private TestDomain(String name) {
    this.usual = Domain.of(name, TrustPolicy.FIRST_USE);
  }

  static TestDomain nameless() {
    return named("");
  }

  static TestDomain named(String name) {
    return new TestDomain(name);
  }

  /** Public keys, as JWK texts. */
  TestDomain commandedBy(String... keys) {
    commanders = List.of(keys);
    return this;
  }

  TestDomain holdingRotations() {
    rotateAtOnce = false;
    return this;
  }

  TestDomain confidential() {
    confidential = true;
    return this;
  }

  TestDomain servingNothingStale() {
    serveStale = false;
    return this;
  }

  TestDomain endpoints(int most) {
    endpoints = most;
    return this;
  }

  TestDomain unprovenPerSource(int most) {
    unprovenPerSource = most;
    return this;
  }

  TestDomain namesPerMinute(int most) {
    namesPerMinute = most;
    return this;
  }

  TestDomain failuresPerMinute(int most) {
    failuresPerMinute = most;
    return this;
  }

  TestDomain registrationsPerMinute(int most) {
    registrationsPerMinute = most;
    return this;
  }

  TestDomain updatesPerMinutePerSource(int most) {
    updatesPerMinutePerSource = most;
    return this;
  }

  /** How old and how large together the past of a resource may be; zero: any. */
  TestDomain keeping(Duration age, long octets) {
    historyAge = age;
    historyOctets = octets;
    return this;
  }

  Domain build() {
    return new Domain(
        usual.name(),
        usual.trust(),
        Set.of(),
        commanders,
        rotateAtOnce,
        confidential,
        usual.window(),
        usual.history(),
        usual.maxClockSkew(),
        usual.maxDelay(),
        usual.defaultWake(),
        serveStale,
        limits());
  }

  private Domain.Limits limits() {
    Domain.Limits common = Domain.Limits.DEFAULT;
    return new Domain.Limits(
        common.payload(),
        endpoints,
        common.unproven(),
        unprovenPerSource,
        common.resources(),
        common.updatesPerMinute(),
        namesPerMinute,
        failuresPerMinute,
        common.commands(),
        registrationsPerMinute,
        updatesPerMinutePerSource,
        historyAge,
        historyOctets);
  }
}
