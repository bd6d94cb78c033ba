package dev.vigil.gateway.config;

import dev.vigil.mirror.Domain;
import org.jspecify.annotations.Nullable;

/** What one endpoint or source may use in a domain; see {@link Domain.Limits} for the fields. */
public record LimitProperties(
    @Nullable Integer payload,
    @Nullable Integer endpoints,
    @Nullable Integer unproven,
    @Nullable Integer unprovenPerSource,
    @Nullable Integer resources,
    @Nullable Integer updatesPerMinute,
    @Nullable Integer namesPerMinute,
    @Nullable Integer failuresPerMinute,
    @Nullable Integer commands,
    @Nullable Integer registrationsPerMinute,
    @Nullable Integer updatesPerMinutePerSource) {

  /** An update is one CoAP body; a pack of more than this is no reading. */
  private static final int MOST_PAYLOAD = 1 << 20;

  private static final int MOST_NAMES = 100_000_000;
  private static final int MOST_RESOURCES = 4096;
  private static final int MOST_A_MINUTE = 100_000_000;
  private static final int MOST_COMMANDS = 1024;

  /**
   * @throws WrongSetting when a number is out of range
   */
  Domain.Limits over(String property, Domain.Limits usual) {
    String p = property + ".";
    return new Domain.Limits(
        Check.in(p + "payload", payload, 128, MOST_PAYLOAD, usual.payload()),
        Check.in(p + "endpoints", endpoints, 1, MOST_NAMES, usual.endpoints()),
        Check.in(p + "unproven", unproven, 0, MOST_NAMES, usual.unproven()),
        Check.in(
            p + "unproven-per-source", unprovenPerSource, 0, MOST_NAMES, usual.unprovenPerSource()),
        Check.in(p + "resources", resources, 1, MOST_RESOURCES, usual.resources()),
        Check.in(
            p + "updates-per-minute", updatesPerMinute, 1, MOST_A_MINUTE, usual.updatesPerMinute()),
        Check.in(p + "names-per-minute", namesPerMinute, 1, MOST_A_MINUTE, usual.namesPerMinute()),
        Check.in(
            p + "failures-per-minute",
            failuresPerMinute,
            1,
            MOST_A_MINUTE,
            usual.failuresPerMinute()),
        Check.in(p + "commands", commands, 1, MOST_COMMANDS, usual.commands()),
        Check.in(
            p + "registrations-per-minute",
            registrationsPerMinute,
            1,
            MOST_A_MINUTE,
            usual.registrationsPerMinute()),
        Check.in(
            p + "updates-per-minute-per-source",
            updatesPerMinutePerSource,
            0,
            MOST_A_MINUTE,
            usual.updatesPerMinutePerSource()),
        usual.historyAge(),
        usual.historyOctets());
  }
}
