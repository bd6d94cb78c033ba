package dev.vigil.store;

/** The result of {@link Store#submit}. */
public sealed interface SubmitResult {
  /** The batch is durable, and every follower of this process has seen its change. */
  record Committed(Change change) implements SubmitResult {}

  /** Nothing was changed: the batch's sequence number is not above {@code high}. */
  record SequenceUsed(long high) implements SubmitResult {}

  /** Nothing was changed: another writer has moved the endpoint to {@code version}. */
  record VersionMoved(long version) implements SubmitResult {}
}
