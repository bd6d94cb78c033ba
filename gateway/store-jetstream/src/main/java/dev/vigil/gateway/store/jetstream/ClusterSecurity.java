package dev.vigil.gateway.store.jetstream;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files by which a gateway and its cluster know each other. Messages name them by the settings
 * {@code vigil.cluster.ca}, {@code .certificate}, {@code .key} and {@code .credentials}.
 *
 * @param ca authorities of the servers' certificates in PEM, which makes TLS mandatory; null for
 *     those of the Java runtime
 * @param certificate the gateway's certificate in PEM, its chain after it; null if the servers ask
 *     for none
 * @param key the private key of that certificate; null if there is no certificate
 * @param credentials a user's JWT and key, as {@code nsc} writes them, or the seed of an nkey; null
 *     if the servers need neither
 */
public record ClusterSecurity(
    @Nullable Path ca, @Nullable Path certificate, @Nullable Path key, @Nullable Path credentials) {

  /** The prefix of the settings in messages. */
  static final String SETTING = "vigil.cluster";

  /** The authorities of the Java runtime, no certificate, and no credentials. */
  public static final ClusterSecurity NONE = new ClusterSecurity(null, null, null, null);
}
