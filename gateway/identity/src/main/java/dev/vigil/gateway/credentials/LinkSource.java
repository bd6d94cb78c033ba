package dev.vigil.gateway.credentials;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the links of a feature by their tokens. The feature keeps them. */
public interface LinkSource {
  /** The link with a token; empty if there is none, it has expired or its object is gone. */
  Optional<Found> find(String token);

  /**
   * A link that may be used.
   *
   * @param object id of the object that it shows
   * @param name of the link
   * @param maker name of the account that made it
   * @param makerMade the time at which that account was made; null in records of older versions
   */
  record Found(
      String object, String name, String maker, @Nullable Instant makerMade, Instant createdAt) {}
}
