package dev.vigil.gateway.domains;

import dev.vigil.gateway.settings.InvalidSettingException;
import dev.vigil.gateway.settings.SettingChecks;
import dev.vigil.mirror.model.Domain;
import org.jspecify.annotations.Nullable;

/** The limits of a domain, per endpoint or source; see {@link Domain.Limits} for the fields. */
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

  /** An update is one CoAP body, which is held in memory. */
  private static final int MAX_PAYLOAD = 1 << 20;

  private static final int MAX_ENDPOINTS = 100_000_000;
  private static final int MAX_RESOURCES = 4096;
  private static final int MAX_PER_MINUTE = 100_000_000;
  private static final int MAX_COMMANDS = 1024;

  /** These limits, completed with the others. */
  LimitProperties orElse(LimitProperties others) {
    return new LimitProperties(
        SettingChecks.first(payload, others.payload),
        SettingChecks.first(endpoints, others.endpoints),
        SettingChecks.first(unproven, others.unproven),
        SettingChecks.first(unprovenPerSource, others.unprovenPerSource),
        SettingChecks.first(resources, others.resources),
        SettingChecks.first(updatesPerMinute, others.updatesPerMinute),
        SettingChecks.first(namesPerMinute, others.namesPerMinute),
        SettingChecks.first(failuresPerMinute, others.failuresPerMinute),
        SettingChecks.first(commands, others.commands),
        SettingChecks.first(registrationsPerMinute, others.registrationsPerMinute),
        SettingChecks.first(updatesPerMinutePerSource, others.updatesPerMinutePerSource));
  }

  /**
   * The limits with {@code defaults} for those that are not set.
   *
   * @param property the property of these settings, for messages
   * @throws InvalidSettingException when a number is out of range
   */
  Domain.Limits over(String property, Domain.Limits defaults) {
    String p = property + ".";
    return new Domain.Limits(
        SettingChecks.in(p + "payload", payload, 128, MAX_PAYLOAD, defaults.payload()),
        SettingChecks.in(p + "endpoints", endpoints, 1, MAX_ENDPOINTS, defaults.endpoints()),
        SettingChecks.in(p + "unproven", unproven, 0, MAX_ENDPOINTS, defaults.unproven()),
        SettingChecks.in(
            p + "unproven-per-source",
            unprovenPerSource,
            0,
            MAX_ENDPOINTS,
            defaults.unprovenPerSource()),
        SettingChecks.in(p + "resources", resources, 1, MAX_RESOURCES, defaults.resources()),
        SettingChecks.in(
            p + "updates-per-minute",
            updatesPerMinute,
            1,
            MAX_PER_MINUTE,
            defaults.updatesPerMinute()),
        SettingChecks.in(
            p + "names-per-minute", namesPerMinute, 1, MAX_PER_MINUTE, defaults.namesPerMinute()),
        SettingChecks.in(
            p + "failures-per-minute",
            failuresPerMinute,
            1,
            MAX_PER_MINUTE,
            defaults.failuresPerMinute()),
        SettingChecks.in(p + "commands", commands, 1, MAX_COMMANDS, defaults.commands()),
        SettingChecks.in(
            p + "registrations-per-minute",
            registrationsPerMinute,
            1,
            MAX_PER_MINUTE,
            defaults.registrationsPerMinute()),
        SettingChecks.in(
            p + "updates-per-minute-per-source",
            updatesPerMinutePerSource,
            0,
            MAX_PER_MINUTE,
            defaults.updatesPerMinutePerSource()),
        defaults.historyAge(),
        defaults.historyOctets());
  }
}
