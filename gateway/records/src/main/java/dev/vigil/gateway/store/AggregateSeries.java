package dev.vigil.gateway.store;

import dev.vigil.store.EndpointName;

/**
 * The numbers of one resource that are aggregated together.
 *
 * @param path of the resource, percent-encoded
 * @param name resolved SenML name
 * @param unit empty when the numbers have none
 * @param kid thumbprint of the key that signed the numbers, so that those of a revoked key can be
 *     left out; {@link #RECOVERED} for numbers that nobody signed
 */
public record AggregateSeries(
    EndpointName endpoint, String path, String name, String unit, String kid) {

  /** The key of recovered readings; no thumbprint is as short. */
  public static final String RECOVERED = "recovered";
}
