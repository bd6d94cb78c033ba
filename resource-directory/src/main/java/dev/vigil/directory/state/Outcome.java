package dev.vigil.directory.state;

/** What became of a batch. */
public sealed interface Outcome {
  /** It is durable, and every follower of this process has seen it. */
  record Landed(Change change) implements Outcome {}

  /** Nothing was changed: the number is not above H. */
  record SequenceUsed(long high) implements Outcome {}

  /** Nothing was changed: somebody else changed the endpoint in between. */
  record VersionMoved(long version) implements Outcome {}
}
