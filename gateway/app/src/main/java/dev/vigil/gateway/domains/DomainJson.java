package dev.vigil.gateway.domains;

import dev.vigil.gateway.access.DomainPolicy;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.read.DomainUsage;
import dev.vigil.mirror.trust.JwkCodec;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a domain in force, and how much of its limits is used.
 *
 * @param name "-" for the domain without a name
 * @param trust first-use, approve or listed
 * @param policy who may register, read, command: anyone, identified, or labels
 * @param commanders thumbprints of the keys that may sign commands
 * @param inFile whether the settings file names the domain
 * @param fileMembers members that the settings file names, for instance limits.payload; their
 *     stored values have no effect
 * @param stored the settings that administrators stored; absent when they stored none
 * @param use absent in lists
 */
record DomainJson(
    String name,
    @LabelsOf(TrustPolicy.class) String trust,
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
    boolean inFile,
    List<String> fileMembers,
    @Nullable DomainBodyJson stored,
    @Nullable DomainUsage use) {

  /**
   * The bounds of each resource's history.
   *
   * @param values number of values; 0: the newest 100, and older ones by their age unless octets
   *     are limited
   * @param ageSeconds age of the oldest value; 0: as {@code vigil.history.values} says
   * @param octets of all values together; 0: no limit
   */
  @Schema(name = "HistoryLimits")
  record HistoryJson(int values, long ageSeconds, long octets) {}

  /** The settings of the same names. */
  @Schema(name = "DomainLimits")
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

  /**
   * @param file the settings of the domain in the settings file; null: none
   */
  static DomainJson of(
      Domain domain,
      DomainPolicy policy,
      @Nullable DomainProperties file,
      @Nullable DomainBodyJson stored,
      @Nullable DomainUsage use) {
    Domain.Limits limits = domain.limits();
    return new DomainJson(
        domain.name().isEmpty() ? DomainNames.NAMELESS : domain.name(),
        LabelsOf.Label.of(domain.trust()),
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
        file != null,
        file == null ? List.of() : FileMembers.of(file),
        stored,
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
    return JwkCodec.thumbprint(JwkCodec.read(jwk));
  }
}
