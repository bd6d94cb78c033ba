package dev.vigil.mirror.read;

/**
 * The usage of a domain.
 *
 * @param endpoints names, including expired ones
 * @param live endpoints whose registration has not expired
 * @param pending endpoints whose key awaits an operator's approval
 * @param held names for which another key awaits an operator's decision
 * @param unproven plain registrations that await their first update
 * @param listed imported keys
 */
public record DomainUsage(
    long endpoints, long live, long pending, long held, long unproven, long listed) {}
