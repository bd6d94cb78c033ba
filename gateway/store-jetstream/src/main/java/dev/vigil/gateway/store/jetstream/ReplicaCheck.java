package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.jetstream.messages.StreamMessages;
import dev.vigil.gateway.store.jetstream.snapshots.SnapshotReader;
import dev.vigil.gateway.store.sqlite.ReplicaFiles;
import dev.vigil.gateway.store.sqlite.ReplicaFiles.Head;
import dev.vigil.gateway.store.sqlite.SnapshotFiles;
import dev.vigil.store.StoreException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a replica with the stream before the replica is opened. A replica that the stream does
 * not continue is set aside and filled again; {@link Repair} then stores what the stream lacks. A
 * replica that is to be filled begins with a snapshot, if there is one.
 */
final class ReplicaCheck {
  private static final Logger log = LoggerFactory.getLogger(ReplicaCheck.class);

  private final StreamMessages messages;
  private final FeedStream stream;
  private final SnapshotReader snapshots;

  ReplicaCheck(StreamMessages messages, FeedStream stream, SnapshotReader snapshots) {
    this.messages = messages;
    this.stream = stream;
    this.snapshots = snapshots;
  }

  /**
   * Sets a replica aside if the stream does not continue it, and lets an empty one begin with a
   * snapshot.
   *
   * @param adopt whether the replica of another stream is set aside too
   * @return the reason; null if no replica was set aside
   * @throws StoreException when a replica must begin with a snapshot and there is none
   */
  @Nullable String prepare(Path folder, boolean adopt) throws InterruptedException {
    Head head = ReplicaFiles.head(folder);
    boolean same = head == null || head.log().equals(stream.id());
    if (!same && !adopt) {
      return null; // Opening it refuses, with the remedy.
    }
    String fault = null;
    if (head != null) {
      fault = same ? fault(folder, head) : "another stream has taken the place of its own";
      if (fault == null && head.position() > 0) {
        return null;
      }
    }
    Path snapshot = snapshots.read(folder);
    if (snapshot == null && stream.first() > stream.begin()) {
      throw new StoreException(
          "the stream %s begins at position %d, and no snapshot can be used (%s): start a gateway that has a replica, wait until it has stored a snapshot, then start this one; if none can start, delete the stream and start the gateway that lost its connection last with vigil.cluster.adopt"
              .formatted(
                  stream.name(),
                  stream.first(),
                  snapshots.faults().isEmpty()
                      ? "there is none"
                      : String.join("; ", snapshots.faults())));
    }
    if (fault != null) {
      log.warn("the replica in {} is set aside and filled again: {}", folder, fault);
      ReplicaFiles.setAside(folder, stream.id(), stream.last());
    }
    if (snapshot != null) {
      SnapshotFiles.install(folder, snapshot, stream.last());
    }
    return fault;
  }

  private @Nullable String fault(Path folder, Head head) throws InterruptedException {
    String suspicion = ReplicaFiles.suspicion(folder);
    if (suspicion != null) {
      return suspicion;
    }
    if (head.position() == 0) {
      return null;
    }
    if (head.position() < stream.first()) {
      // Its newest message cannot be compared.
      return head.position() == stream.first() - 1 && snapshots.has(head)
          ? null
          : "the stream %s begins at position %d, after this replica at %d"
              .formatted(stream.name(), stream.first(), head.position());
    }
    byte[] found = messages.hash(head.position());
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
