package dev.vigil.gateway.oidc;

/**
 * A person whom a provider knows.
 *
 * @param name of the account, as the provider's claim has it
 */
public record ProviderAccount(String name, ProviderLogin login) {}
