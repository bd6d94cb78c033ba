package dev.vigil.mirror;

/**
 * How full a domain is.
 *
 * @param endpoints names remembered, expired ones included
 * @param live those whose registration holds
 * @param pending those that wait for an operator
 * @param held other keys that ask for one of the names
 * @param unproven plain registrations that wait for their first update
 * @param listed keys imported
 */
public record DomainUse(
    long endpoints, long live, long pending, long held, long unproven, long listed) {}
