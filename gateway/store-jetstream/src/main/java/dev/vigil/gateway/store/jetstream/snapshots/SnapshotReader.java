package dev.vigil.gateway.store.jetstream.snapshots;

import dev.vigil.gateway.files.PrivateFiles;
import dev.vigil.gateway.store.jetstream.messages.Election;
import dev.vigil.gateway.store.jetstream.messages.StreamMessages;
import dev.vigil.gateway.store.jetstream.messages.StreamMessages.Range;
import dev.vigil.gateway.store.sqlite.ReplicaFiles.Head;
import dev.vigil.gateway.store.sqlite.SnapshotFiles;
import dev.vigil.gateway.store.sqlite.SqliteFiles;
import dev.vigil.store.StoreException;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.Inflater;
import java.util.zip.InflaterOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the newest snapshot that a replica can begin with. */
public final class SnapshotReader {
  private static final Logger log = LoggerFactory.getLogger(SnapshotReader.class);

  private static final int BUFFER = 1 << 17;

  /**
   * The number of times that the list is read while the newest snapshot cannot be used for a reason
   * that may pass: servers that have just started may not know the newest one, and other gateways
   * replace snapshots and remove messages while this one reads.
   */
  private static final int READINGS = 5;

  private static final long BETWEEN_MILLIS = 500;

  private final SnapshotBucket bucket;
  private final String stream;
  private final Range opened;
  private final StreamMessages messages;
  private final List<String> faults = new ArrayList<>();

  /**
   * @param stream id of the stream
   * @param opened the range of its messages when it was opened
   */
  public SnapshotReader(
      SnapshotBucket bucket, String stream, Range opened, StreamMessages messages) {
    this.bucket = bucket;
    this.stream = stream;
    this.opened = opened;
    this.messages = messages;
  }

  /** Why snapshots could not be used, newest first. */
  public List<String> faults() {
    return List.copyOf(faults);
  }

  /** Whether a snapshot ends with a replica's newest change. */
  public boolean has(Head head) throws InterruptedException {
    return list().stream()
        .anyMatch(
            one ->
                one.stream().equals(stream)
                    && one.position() == head.position()
                    && Arrays.equals(one.hash(), head.hash()));
  }

  /**
   * Writes the newest usable snapshot to a file in the data folder.
   *
   * @return the file; null if there is no snapshot that can be used
   */
  public @Nullable Path read(Path folder) throws InterruptedException {
    Path copy = SnapshotFiles.file(folder, "snapshot-read");
    for (int reading = 1; ; reading++) {
      faults.clear();
      boolean passes = false;
      List<Snapshot> listed = ofStream();
      Range range = range();
      for (Snapshot snapshot : listed) {
        Fault fault = fault(snapshot, range);
        if (fault == null) {
          fault = read(snapshot, copy);
        }
        if (fault == null) {
          log.info("the replica begins with the snapshot of position {}", snapshot.position());
          return copy;
        }
        passes |= faults.isEmpty() && fault.passes;
        faults.add("position %d: %s".formatted(snapshot.position(), fault.text));
        log.warn("the snapshot of position {} cannot be used: {}", snapshot.position(), fault.text);
      }
      if (!passes || reading == READINGS) {
        return null;
      }
      TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLIS);
    }
  }

  /**
   * Why a snapshot cannot be used.
   *
   * @param passes whether a newer list may have a snapshot that can be used
   */
  private record Fault(String text, boolean passes) {}

  private List<Snapshot> ofStream() throws InterruptedException {
    return list().stream().filter(snapshot -> snapshot.stream().equals(stream)).toList();
  }

  /**
   * The present range. It is read after a list, because other gateways may have stored snapshots of
   * newer messages since the stream was opened.
   */
  private Range range() throws InterruptedException {
    try {
      return Election.await(messages::range);
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      log.warn("the stream does not answer again: {}", e.getMessage());
      return opened;
    }
  }

  private List<Snapshot> list() throws InterruptedException {
    try {
      return Election.await(bucket::list);
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      faults.add("the bucket %s cannot be read: %s".formatted(bucket.name(), e.getMessage()));
      log.warn("the snapshots in {} cannot be read: {}", bucket.name(), e.getMessage());
      return List.of();
    }
  }

  private @Nullable Fault fault(Snapshot snapshot, Range range) throws InterruptedException {
    if (snapshot.format() > SqliteFiles.FORMAT) {
      return new Fault("a newer version made it, upgrade this gateway", false);
    }
    if (snapshot.position() + 1 < range.first()) {
      return new Fault("the stream begins at " + range.first(), true);
    }
    if (snapshot.position() > range.last()) {
      return new Fault("the stream ends at " + range.last(), false);
    }
    if (snapshot.position() < range.first()) {
      return null;
    }
    byte[] hash = messages.hash(snapshot.position());
    if (hash == null) {
      return new Fault("the stream no longer has its newest message", true);
    }
    return Arrays.equals(hash, snapshot.hash())
        ? null
        : new Fault("the stream has another message there", false);
  }

  /**
   * @return the fault; null if the file has what was stored
   */
  private @Nullable Fault read(Snapshot snapshot, Path copy) throws InterruptedException {
    SnapshotFiles.delete(copy);
    try {
      PrivateFiles.requireFolder(copy.resolveSibling(""));
      PrivateFiles.requireFile(copy);
      if (!download(bucket, snapshot, Files.newOutputStream(copy))) {
        return delete(copy, new Fault("its checksum differs", false));
      }
      Head head = SnapshotFiles.head(copy);
      boolean same =
          head.log().equals(stream)
              && head.position() == snapshot.position()
              && Arrays.equals(head.hash(), snapshot.hash());
      return same ? null : delete(copy, new Fault("it holds another replica", false));
    } catch (IOException | JetStreamApiException | StoreException e) {
      return delete(copy, new Fault(String.valueOf(e.getMessage()), true));
    }
  }

  private static Fault delete(Path copy, Fault fault) {
    SnapshotFiles.delete(copy);
    return fault;
  }

  /**
   * Reads a snapshot completely.
   *
   * @param target receives the database; it is closed
   * @return whether it has the size and the checksum of the snapshot
   */
  static boolean download(SnapshotBucket bucket, Snapshot snapshot, OutputStream target)
      throws IOException, JetStreamApiException, InterruptedException {
    MessageDigest digest = SnapshotMaker.sha256();
    Inflater inflater = new Inflater();
    try (OutputStream out =
        new InflaterOutputStream(new DigestOutputStream(target, digest), inflater, BUFFER)) {
      bucket.get(snapshot, out);
    } finally {
      inflater.end();
    }
    return HexFormat.of().formatHex(digest.digest()).equals(snapshot.sha256());
  }
}
