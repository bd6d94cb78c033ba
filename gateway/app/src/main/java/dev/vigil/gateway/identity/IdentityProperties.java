package dev.vigil.gateway.identity;

/**
 * @param file of the identity key; empty: {@code identity.jwk} in the data folder
 */
public record IdentityProperties(String file) {}
