package dev.vigil.gateway.northbound.sparkplug;

/**
 * The number of an edge node's last connection, which its birth and death certificates share.
 *
 * @param last 0 to 255
 */
public record BirthNumber(int last) {}
