package dev.vigil.store;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The superseded facts that stay in the histories of their slots ({@link Fact#keepsOlder}). Safe
 * for use by any number of threads.
 */
public interface OlderFacts {
  /**
   * Removes a bounded number of facts that are too old. Each call continues where the last one
   * ended. A fact may stay up to a day longer.
   *
   * @param oldest the earliest arrival that stays, by endpoint; must not block
   */
  CompletableFuture<Removed> expire(Function<EndpointName, Instant> oldest);

  /**
   * Removes a bounded number of facts: the oldest of the endpoint whose older facts take most
   * octets.
   */
  CompletableFuture<Removed> shrink();

  /** The octets that all older facts take. */
  long octets();

  /**
   * @param facts number of removed facts
   * @param complete whether no further facts remain to be removed
   */
  record Removed(long facts, boolean complete) {}
}
