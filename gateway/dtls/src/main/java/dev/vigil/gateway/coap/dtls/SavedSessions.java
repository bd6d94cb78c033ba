package dev.vigil.gateway.coap.dtls;

import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Secret;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.store.DataFolder;
import dev.vigil.gateway.store.SharedSecrets;
import dev.vigil.mirror.confidential.AesGcm;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.californium.elements.util.DataStreamReader;
import org.eclipse.californium.elements.util.DatagramWriter;
import org.eclipse.californium.elements.util.SerializationUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The DTLS sessions that an orderly stop saves for the next start, so that clients continue without
 * a handshake. After a crash there are none.
 *
 * <p>A session that continues twice repeats the numbers of records, which are the nonces of its
 * cipher. Therefore:
 *
 * <ul>
 *   <li>The file is deleted before a session is used, and so is the record with the salt of its
 *       key. In a cluster only one gateway can delete that record.
 *   <li>The record names the file's entry: its number, and the time at which the system wrote it,
 *       neither of which can be chosen. A copy of the data folder has another entry, so its file is
 *       not used. A backup has no such file.
 *   <li>The image of a disk has the same entry. Each restored session skips a random part of its
 *       numbers ({@link RecordNumbers}), and a file is used for an hour only.
 * </ul>
 */
@Component
public final class SavedSessions {
  private static final Logger log = LoggerFactory.getLogger(SavedSessions.class);

  /** The longest time between stop and start. */
  static final Duration MAX_AGE = Duration.ofHours(1);

  /** A clock that was set back by more than this makes a file unusable. */
  private static final Duration CLOCK_STEP = Duration.ofMinutes(1);

  private static final Duration WRITING = Duration.ofSeconds(10);
  private static final String ALONE = "gateway";
  private static final byte[] CONTEXT = {};
  private static final int SALT_OCTETS = 16;

  /** Sessions that need more than this part of the heap are not saved. */
  private static final int HEAP_PART = 8;

  private final SessionFile file;
  private final SharedSecrets secrets;
  private final RecordSet<Saved> records;
  private final String id;
  private final SecureRandom random;
  private final Clock clock;

  /**
   * The store's record about the file.
   *
   * @param salt of the file's key
   * @param entry of the file, as in {@link SessionFile.Content}
   */
  record Saved(@Secret String salt, String entry) {}

  /** The reason why sessions cannot be saved or restored. */
  private static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    Unusable(String reason) {
      super(reason);
    }
  }

  public SavedSessions(
      DataFolder folder,
      SharedSecrets secrets,
      Records records,
      ClusterProperties cluster,
      SecureRandom random,
      Clock clock) {
    this.file = new SessionFile(folder.resolve(DataFolder.SESSIONS));
    this.secrets = secrets;
    this.records = records.of("coaps-sessions", Saved.class);
    this.id = cluster.isShared() ? cluster.gateway() : ALONE;
    this.random = random;
    this.clock = clock;
  }

  /** Saves and removes the sessions of sockets that are closed. */
  public void save(List<DtlsListener> closed) {
    try {
      ByteArrayOutputStream plain = new ByteArrayOutputStream();
      int sessions = write(closed, plain);
      if (sessions == 0) {
        return;
      }
      String salt = salt();
      byte[] nonce = new byte[AesGcm.NONCE_LENGTH]; // The key is used once.
      byte[] sealed = AesGcm.seal(key(salt), nonce, CONTEXT, plain.toByteArray());
      Saved saved = new Saved(salt, file.write(sealed));
      Outcome outcome =
          Outcome.await(records.put(id, saved, OptionalLong.empty(), Audit.UNRECORDED), WRITING);
      if (!(outcome instanceof Outcome.Done)) {
        file.delete();
        throw new Unusable("the store did not store the salt of their key");
      }
      log.info("CoAPS: saved {} sessions for the next start", sessions);
    } catch (IOException | Unusable e) {
      log.warn("CoAPS: the sessions are not saved, so clients shake hands again: {}", reason(e));
    }
  }

  private static int write(List<DtlsListener> closed, ByteArrayOutputStream out)
      throws IOException, Unusable {
    DatagramWriter writer = new DatagramWriter();
    SerializationUtil.writeNanotimeSynchronizationMark(writer);
    if (!closed.isEmpty()) {
      closed.getFirst().keys().write(writer);
    }
    writer.writeTo(out);
    int sessions = 0;
    for (DtlsListener one : closed) {
      SerializationUtil.write(writer, one.label(), Short.SIZE);
      writer.writeTo(out);
      sessions += one.save(out);
      if (out.size() > maxOctets()) {
        throw new Unusable("they need more than an eighth of the heap");
      }
    }
    SerializationUtil.write(writer, (String) null, Short.SIZE);
    writer.writeTo(out);
    return sessions;
  }

  /** Restores the sessions of the last stop for sockets that are not open yet. */
  public void restore(List<DtlsListener> sockets) {
    try {
      byte[] plain = takePlain();
      if (plain != null) {
        read(plain, sockets);
        int sessions = sockets.stream().mapToInt(one -> one.statistics().restored()).sum();
        log.info("CoAPS: restored {} sessions of the last stop", sessions);
      }
    } catch (IOException | Unusable | IllegalArgumentException e) {
      sockets.forEach(DtlsListener::forgetAll);
      log.warn(
          "CoAPS: the saved sessions are not used, so clients shake hands again: {}", reason(e));
    }
  }

  /** The content of the file, which nobody can read again; null if there is no file. */
  private byte @Nullable [] takePlain() throws IOException, Unusable {
    @Nullable Versioned<Saved> saved = records.get(id).orElse(null);
    boolean forgotten = saved == null || forget(saved);
    SessionFile.Content content = file.take(maxOctets()).orElse(null);
    if (!forgotten) {
      throw new Unusable("the store did not forget the salt of their key");
    }
    if (content == null) {
      return null;
    }
    if (saved == null) {
      throw new Unusable("the store does not know the file");
    }
    if (!saved.value().entry().equals(content.entry())) {
      throw new Unusable("the file is a copy");
    }
    Duration age = Duration.between(saved.at(), clock.instant());
    if (age.compareTo(MAX_AGE) > 0 || age.compareTo(CLOCK_STEP.negated()) < 0) {
      throw new Unusable("they were saved at " + saved.at());
    }
    byte[] nonce = new byte[AesGcm.NONCE_LENGTH];
    byte[] plain = AesGcm.open(key(saved.value().salt()), nonce, CONTEXT, content.octets());
    if (plain == null) {
      throw new Unusable("the file is damaged, or the identity key is another one");
    }
    return plain;
  }

  private boolean forget(Versioned<Saved> saved) {
    return Outcome.await(
            records.remove(id, OptionalLong.of(saved.version()), Audit.UNRECORDED), WRITING)
        instanceof Outcome.Done;
  }

  private void read(byte[] plain, List<DtlsListener> sockets) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(plain);
    DataStreamReader reader = new DataStreamReader(in);
    long delta = SerializationUtil.readNanotimeSynchronizationMark(reader);
    ClientKeys then = ClientKeys.read(reader);
    Instant now = clock.instant();
    Map<String, DtlsListener> byLabel =
        sockets.stream().collect(Collectors.toMap(DtlsListener::label, Function.identity()));
    for (String label = next(reader); label != null; label = next(reader)) {
      DtlsListener socket = byLabel.get(label);
      if (socket == null) {
        SerializationUtil.skipItems(reader, Short.SIZE);
      } else {
        socket.load(
            in,
            delta,
            connection ->
                socket.keys().stillAdmit(connection.getEstablishedPeerIdentity(), then, now)
                    && RecordNumbers.skip(connection.getEstablishedDtlsContext(), random));
      }
    }
  }

  private static @Nullable String next(DataStreamReader reader) {
    return SerializationUtil.readString(reader, Short.SIZE);
  }

  private String salt() {
    byte[] salt = new byte[SALT_OCTETS];
    random.nextBytes(salt);
    return Base64.getEncoder().encodeToString(salt);
  }

  private byte[] key(String salt) {
    return secrets.derive("CoAPS " + salt);
  }

  private static long maxOctets() {
    return Runtime.getRuntime().maxMemory() / HEAP_PART;
  }

  private static String reason(Exception e) {
    return String.valueOf(e.getMessage());
  }
}
