package dev.vigil.gateway.northbound.sparkplug;

/**
 * The number of an edge node's last connection, shared by its birth and death certificates.
 *
 * @param last 0 to 255
 */
public record BirthNumber(int last) {}
