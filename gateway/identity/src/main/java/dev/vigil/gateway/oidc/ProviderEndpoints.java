package dev.vigil.gateway.oidc;

import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.oauth2.client.registration.ClientRegistration;

/**
 * A provider's end points and keys, from its metadata.
 *
 * @param registration the gateway as the provider's client, without its secret
 * @param verifier exchanges codes and checks ID tokens
 */
record ProviderEndpoints(ClientRegistration registration, AuthenticationProvider verifier) {}
