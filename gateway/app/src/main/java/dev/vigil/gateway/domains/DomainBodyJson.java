package dev.vigil.gateway.domains;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.model.keys.TrustPolicy;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a domain that administrators stored. Absent members have their defaults. Members
 * that the settings file names have the value of the file.
 *
 * @param trust first-use, approve or listed
 * @param rotateAtOnce whether rotated keys are trusted without a decision
 * @param confidential whether updates must come encrypted
 */
@Schema(name = "DomainSettings")
record DomainBodyJson(
    @LabelsOf(TrustPolicy.class) @Nullable String trust,
    @Nullable PolicyBody policy,
    @Nullable Boolean rotateAtOnce,
    @Nullable Boolean confidential,
    @Nullable Integer window,
    @Nullable Long maxClockSkewSeconds,
    @Nullable Long maxDelaySeconds,
    @Nullable Long defaultWakeSeconds,
    @Nullable Boolean serveStale,
    @Nullable HistoryBody history,
    @Nullable LimitProperties limits) {
  private static final long MAX_SECONDS = 10L * 366 * 86_400;
  private static final int MAX_PRINCIPALS = 200;
  private static final LimitProperties NO_LIMITS =
      new LimitProperties(null, null, null, null, null, null, null, null, null, null, null);

  static final DomainBodyJson NONE =
      new DomainBodyJson(null, null, null, null, null, null, null, null, null, null, null);

  /** Callers that may register, read, command: anyone, identified, or labels. */
  @Schema(name = "DomainPolicySettings")
  record PolicyBody(
      @Nullable List<String> register,
      @Nullable List<String> read,
      @Nullable List<String> command) {}

  /** As the members of the same names in answers. */
  @Schema(name = "DomainHistorySettings")
  record HistoryBody(@Nullable Integer values, @Nullable Long ageSeconds, @Nullable Long octets) {}

  /**
   * These settings in the form of the settings file.
   *
   * @param commanders public keys as JWK texts
   * @throws ErrorResponseException 4.00, names the member that is wrong
   */
  DomainProperties properties(List<String> commanders) {
    PolicyBody who = policy == null ? new PolicyBody(null, null, null) : policy;
    HistoryBody past = history == null ? new HistoryBody(null, null, null) : history;
    return new DomainProperties(
        trust == null ? null : trustPolicy(trust),
        principals("policy.register", who.register),
        principals("policy.read", who.read),
        principals("policy.command", who.command),
        List.of(),
        commanders,
        rotateAtOnce,
        confidential,
        window,
        past.values,
        seconds("history.ageSeconds", past.ageSeconds, 0),
        past.octets,
        seconds("maxClockSkewSeconds", maxClockSkewSeconds, 0),
        seconds("maxDelaySeconds", maxDelaySeconds, 0),
        seconds("defaultWakeSeconds", defaultWakeSeconds, 1),
        serveStale,
        limits == null ? NO_LIMITS : limits);
  }

  private static TrustPolicy trustPolicy(String label) {
    return Arrays.stream(TrustPolicy.values())
        .filter(policy -> LabelsOf.Label.of(policy).equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                refused(
                    "trust", "takes " + String.join(", ", LabelsOf.Label.all(TrustPolicy.class))));
  }

  private static @Nullable List<String> principals(String member, @Nullable List<String> given) {
    if (given != null && given.size() > MAX_PRINCIPALS) {
      throw refused(member, "has more than " + MAX_PRINCIPALS + " entries");
    }
    return given;
  }

  private static @Nullable Duration seconds(String member, @Nullable Long given, long least) {
    if (given != null && (given < least || given > MAX_SECONDS)) {
      throw refused(member, "takes " + least + " to " + MAX_SECONDS);
    }
    return given == null ? null : Duration.ofSeconds(given);
  }

  private static ProblemException refused(String member, String fault) {
    return new ProblemException(ProblemType.INVALID_BODY, member + ": " + fault);
  }
}
