package dev.vigil.gateway.domains;

import dev.vigil.gateway.access.DomainPolicy;
import dev.vigil.gateway.config.DomainProperties;
import dev.vigil.mirror.Domain;
import dev.vigil.mirror.DomainUse;
import dev.vigil.mirror.jose.Jwk;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A domain as it is set.
 *
 * @param name - for the domain without a name
 * @param trust first-use, approve or listed
 * @param policy who may register, read, command: anyone, identified, or labels
 * @param commanders thumbprints of the keys whose commands are taken
 * @param use how full it is; only where one domain is asked for
 */
record DomainJson(
    String name,
    String trust,
    DomainPolicy policy,
    List<String> commanders,
    boolean rotateAtOnce,
    boolean confidential,
    int window,
    long maxClockSkewSeconds,
    long maxDelaySeconds,
    long defaultWakeSeconds,
    boolean serveStale,
    HistoryJson history,
    LimitsJson limits,
    @Nullable DomainUse use) {

  /**
   * @param values kept of each resource
   * @param ageSeconds how long; 0: as long as there is room
   * @param octets together, of each resource; 0: any amount
   */
  record HistoryJson(int values, long ageSeconds, long octets) {}

  /** As the settings of the same names. */
  record LimitsJson(
      int payload,
      int endpoints,
      int unproven,
      int unprovenPerSource,
      int resources,
      int updatesPerMinute,
      int updatesPerMinutePerSource,
      int registrationsPerMinute,
      int namesPerMinute,
      int failuresPerMinute,
      int commands) {}

  static DomainJson of(Domain domain, DomainPolicy policy, @Nullable DomainUse use) {
    Domain.Limits limits = domain.limits();
    return new DomainJson(
        domain.name().isEmpty() ? DomainProperties.NAMELESS : domain.name(),
        domain.trust().name().toLowerCase(Locale.ROOT).replace('_', '-'),
        policy,
        domain.commanders().stream().map(DomainJson::thumbprint).toList(),
        domain.rotateAtOnce(),
        domain.confidential(),
        domain.window(),
        domain.maxClockSkew().toSeconds(),
        domain.maxDelay().toSeconds(),
        domain.defaultWake().toSeconds(),
        domain.serveStale(),
        new HistoryJson(domain.history(), limits.historyAge().toSeconds(), limits.historyOctets()),
        of(limits),
        use);
  }

  private static LimitsJson of(Domain.Limits limits) {
    return new LimitsJson(
        limits.payload(),
        limits.endpoints(),
        limits.unproven(),
        limits.unprovenPerSource(),
        limits.resources(),
        limits.updatesPerMinute(),
        limits.updatesPerMinutePerSource(),
        limits.registrationsPerMinute(),
        limits.namesPerMinute(),
        limits.failuresPerMinute(),
        limits.commands());
  }

  private static String thumbprint(String jwk) {
    return Jwk.parse(jwk.getBytes(StandardCharsets.UTF_8)).thumbprint();
  }
}
