package dev.vigil.gateway.store.jetstream.snapshots;

import dev.vigil.gateway.store.jetstream.messages.StreamMessages;
import dev.vigil.gateway.store.sqlite.ReplicaFiles.Head;
import dev.vigil.gateway.store.sqlite.SnapshotFiles;
import dev.vigil.gateway.store.sqlite.SqliteFiles;
import dev.vigil.store.StoreException;
import io.nats.client.JetStreamApiException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Function;
import java.util.zip.Deflater;
import java.util.zip.DeflaterInputStream;

/** Makes snapshots of the replica in a data folder while its gateway writes. */
public final class SnapshotMaker {
  private static final int BUFFER = 1 << 17;

  /** The age at which an unfinished snapshot belongs to no gateway any more. */
  private static final Duration GIVEN_UP = Duration.ofHours(1);

  private final SnapshotBucket bucket;
  private final String stream;
  private final StreamMessages messages;
  private final Path folder;
  private final Function<Path, Head> copier;
  private final Clock clock;

  /**
   * @param stream id of the stream that fills the replica
   * @param folder of the replica
   * @param copier copies it, as {@link SnapshotFiles#copy}
   */
  public SnapshotMaker(
      SnapshotBucket bucket,
      String stream,
      StreamMessages messages,
      Path folder,
      Function<Path, Head> copier,
      Clock clock) {
    this.bucket = bucket;
    this.stream = stream;
    this.messages = messages;
    this.folder = folder;
    this.copier = copier;
    this.clock = clock;
  }

  /**
   * Makes a snapshot.
   *
   * @throws StoreException when the replica is damaged, the stream does not continue it, or the
   *     disk is full
   */
  public Snapshot make() throws IOException, JetStreamApiException, InterruptedException {
    Path copy = SnapshotFiles.file(folder, "snapshot-made");
    SnapshotFiles.delete(copy);
    requireRoom();
    try {
      Snapshot made = describe(copy, copier.apply(copy));
      byte[] found = messages.hash(made.position());
      if (!Arrays.equals(found, made.hash())) {
        throw new StoreException(
            "the stream does not have the replica's message %d".formatted(made.position()));
      }
      store(made, copy);
      return made;
    } finally {
      SnapshotFiles.delete(copy);
    }
  }

  /** A copy that fills the disk would keep the replica from writing. */
  private void requireRoom() throws IOException {
    long octets = Files.size(folder.resolve(SqliteFiles.DATABASE));
    if (Files.getFileStore(folder).getUsableSpace() < 2 * octets) {
      throw new StoreException(
          "the disk that holds %s has too little room for a copy of the database"
              .formatted(folder));
    }
  }

  /** Describes a copy of a replica. */
  public Snapshot describe(Path copy, Head head) throws IOException {
    MessageDigest digest = sha256();
    try (InputStream in = new DigestInputStream(Files.newInputStream(copy), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return new Snapshot(
        stream,
        head.position(),
        head.hash(),
        SqliteFiles.FORMAT,
        Files.size(copy),
        HexFormat.of().formatHex(digest.digest()),
        clock.instant());
  }

  /** Stores a copy, which is compressed while it is sent. */
  public void store(Snapshot snapshot, Path copy)
      throws IOException, JetStreamApiException, InterruptedException {
    bucket.create();
    bucket.removeUnfinished(clock.instant().minus(GIVEN_UP));
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(copy), BUFFER);
        InputStream compressed = new DeflaterInputStream(in, deflater, BUFFER)) {
      bucket.put(snapshot, compressed);
    } finally {
      deflater.end();
    }
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
