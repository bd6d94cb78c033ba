package dev.vigil.gateway.northbound.probe;

/**
 * The last test of a destination.
 *
 * @param accepted whether the other side took the message
 * @param answer of the other side, one line without secrets
 */
record DestinationProbe(boolean accepted, String answer) {}
