package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.sqlite.ReplicaFiles;
import dev.vigil.gateway.store.sqlite.ReplicaFiles.Head;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a replica with the stream before the replica is opened. A replica that the stream does
 * not continue is set aside and filled again; {@link Repair} then stores what the stream lacks.
 */
final class ReplicaCheck {
  private static final Logger log = LoggerFactory.getLogger(ReplicaCheck.class);

  /** A new leader may not know the newest messages at once. */
  private static final int QUESTIONS = 8;

  private final StreamMessages messages;
  private final FeedStream stream;

  ReplicaCheck(StreamMessages messages, FeedStream stream) {
    this.messages = messages;
    this.stream = stream;
  }

  /**
   * Sets a replica aside if the stream does not continue it.
   *
   * @param adopt whether the replica of another stream is set aside too
   * @return the reason; null if the replica may be opened as it is
   */
  @Nullable String setAside(Path folder, boolean adopt) throws InterruptedException {
    Head head = ReplicaFiles.head(folder);
    if (head == null) {
      return null;
    }
    boolean same = head.log().equals(stream.id());
    if (!same && !adopt) {
      return null; // Opening it refuses, with the remedy.
    }
    String fault = same ? fault(folder, head) : "another stream has taken the place of its own";
    if (fault != null) {
      log.warn("the replica in {} is set aside and filled again: {}", folder, fault);
      ReplicaFiles.setAside(folder, stream.id(), stream.last());
    }
    return fault;
  }

  private @Nullable String fault(Path folder, Head head) throws InterruptedException {
    String suspicion = ReplicaFiles.suspicion(folder);
    if (suspicion != null) {
      return suspicion;
    }
    if (stream.first() > head.position() + 1) {
      return "the stream %s begins at position %d, after this replica at %d"
          .formatted(stream.name(), stream.first(), head.position());
    }
    if (head.position() == 0) {
      return null;
    }
    byte[] found = messages.hash(head.position(), QUESTIONS);
    if (found == null) {
      return "the stream %s ends before this replica at position %d"
          .formatted(stream.name(), head.position());
    }
    return Arrays.equals(found, head.hash())
        ? null
        : "the stream %s has another message than this replica at position %d"
            .formatted(stream.name(), head.position());
  }
}
