package dev.vigil.gateway.tags;

import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.mirror.read.Presence;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Tags that are added to and removed from endpoints.
 *
 * @param by label of the caller
 */
record TagChange(List<String> add, List<String> remove, String by) {
  /** The number of attempts while others change the tags of the same endpoint. */
  private static final int ATTEMPTS = 5;

  /**
   * Changes the tags of one endpoint.
   *
   * @return whether they differ from before; fails with 4.09 when the endpoint has too many tags,
   *     and as {@link Outcome#require}
   */
  CompletableFuture<Boolean> apply(TaggedEndpoints tagged, Presence endpoint) {
    return apply(tagged, endpoint, ATTEMPTS);
  }

  private CompletableFuture<Boolean> apply(
      TaggedEndpoints tagged, Presence endpoint, int attempts) {
    // The version is read first, so that a change between the two calls is a conflict.
    long version = tagged.version(endpoint.id());
    List<String> before = tagged.of(endpoint.id());
    TreeSet<String> after = new TreeSet<>(before);
    after.removeAll(remove);
    after.addAll(add);
    if (after.equals(new TreeSet<>(before))) {
      return CompletableFuture.completedFuture(false);
    }
    if (after.size() > TagGrammar.MAX_TAGS) {
      return CompletableFuture.failedFuture(
          new ProblemException(
              ProblemType.LIMIT_REACHED,
              "the endpoint would have more than " + TagGrammar.MAX_TAGS + " tags"));
    }
    return tagged
        .put(endpoint, List.copyOf(after), OptionalLong.of(version), by)
        .thenCompose(
            outcome -> {
              if (outcome instanceof Outcome.Conflict && attempts > 1) {
                return apply(tagged, endpoint, attempts - 1);
              }
              outcome.require("tag");
              return CompletableFuture.completedFuture(true);
            });
  }
}
