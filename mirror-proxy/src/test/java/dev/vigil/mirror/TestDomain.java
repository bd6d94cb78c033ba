package dev.vigil.mirror;

import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.TrustPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Builds a domain that trusts on first use and differs from the default in some settings. */
final class TestDomain {
  private Domain defaults;
  private List<String> commanders = List.of();
  private boolean rotateAtOnce = true;
  private boolean confidential;
  private boolean serveStale = true;
  private int endpoints = Domain.Limits.DEFAULT.endpoints();
  private int resources = Domain.Limits.DEFAULT.resources();
  private int unprovenPerSource = Domain.Limits.DEFAULT.unprovenPerSource();
  private int namesPerMinute = Domain.Limits.DEFAULT.namesPerMinute();
  private int failuresPerMinute = Domain.Limits.DEFAULT.failuresPerMinute();
  private int registrationsPerMinute = Domain.Limits.DEFAULT.registrationsPerMinute();
  private int updatesPerMinutePerSource = Domain.Limits.DEFAULT.updatesPerMinutePerSource();
  private Duration historyAge = Domain.Limits.DEFAULT.historyAge();
  private long historyOctets = Domain.Limits.DEFAULT.historyOctets();

  private TestDomain(String name) {
    this.defaults = Domain.of(name, TrustPolicy.FIRST_USE);
  }

  static TestDomain nameless() {
    return named("");
  }

  static TestDomain named(String name) {
    return new TestDomain(name);
  }

  TestDomain trusting(TrustPolicy policy) {
    defaults = Domain.of(defaults.name(), policy);
    return this;
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

  TestDomain endpoints(int max) {
    endpoints = max;
    return this;
  }

  /** Maximum links of one endpoint. */
  TestDomain resources(int max) {
    resources = max;
    return this;
  }

  TestDomain unprovenPerSource(int max) {
    unprovenPerSource = max;
    return this;
  }

  TestDomain namesPerMinute(int max) {
    namesPerMinute = max;
    return this;
  }

  TestDomain failuresPerMinute(int max) {
    failuresPerMinute = max;
    return this;
  }

  TestDomain registrationsPerMinute(int max) {
    registrationsPerMinute = max;
    return this;
  }

  TestDomain updatesPerMinutePerSource(int max) {
    updatesPerMinutePerSource = max;
    return this;
  }

  /** Limits the history of a resource by age and by total octets; zero for no limit. */
  TestDomain limitingHistory(Duration age, long octets) {
    historyAge = age;
    historyOctets = octets;
    return this;
  }

  Domain build() {
    return new Domain(
        defaults.name(),
        defaults.trust(),
        Set.of(),
        commanders,
        rotateAtOnce,
        confidential,
        defaults.window(),
        defaults.history(),
        defaults.maxClockSkew(),
        defaults.maxDelay(),
        defaults.defaultWake(),
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
        resources,
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
