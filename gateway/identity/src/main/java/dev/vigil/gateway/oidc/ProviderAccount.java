package dev.vigil.gateway.oidc;

/**
 * A person with an account at the provider.
 *
 * @param name name of the account from the provider's claim
 */
public record ProviderAccount(String name, ProviderLogin login) {}
