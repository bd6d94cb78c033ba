package dev.vigil.gateway.northbound.mqtt;

/**
 * The number of an edge node's last connection, which its birth and death certificates share.
 *
 * @param last 0 to 255
 */
record BirthNumber(int last) {}
