package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.jetstream.messages.MessageHash;
import dev.vigil.gateway.store.sqlite.LoggedChange;
import dev.vigil.gateway.store.sqlite.SqliteReplica;
import dev.vigil.gateway.store.sqlite.SqliteReplica.Known;
import dev.vigil.gateway.store.sqlite.rows.KeptChange;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.wire.Utf8;
import dev.vigil.signed.wire.WireReader;
import dev.vigil.signed.wire.WireWriter;
import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The outcome of a batch, as one message of the stream holds it.
 *
 * <p>Format 1, big-endian: format (u8), batch (16 octets), previous (u64), hash of the previous (16
 * octets unless previous is 0), flags (u8: 1 if numbered, 2 if repaired), id (text), H (u64),
 * sequence number of a repaired batch (u64, 0 if it had none), version (u64), time in microseconds
 * since 1970 (u64, signed), domain (text), name (text), number of facts (u16), facts. A text is its
 * length (u16) and UTF-8. A fact is its slot (text), keep (u32, bit 31 set if older facts stay),
 * and its body after its length (u32).
 *
 * @param batch random id of the batch
 * @param previous position of the endpoint's previous message; 0 if there is none
 * @param previousHash hash of that message; empty if there is none
 * @param id the endpoint's id; empty if this message creates the endpoint, whose id is then the
 *     message's position
 * @param sequence the batch's sequence number; 0 if it had none
 * @param repaired whether the stream had lost the batch. Otherwise a sequence number is {@code
 *     high}
 */
record BatchMessage(
    BatchId batch,
    long previous,
    byte[] previousHash,
    String id,
    EndpointName endpoint,
    Instant at,
    long sequence,
    boolean repaired,
    long high,
    long version,
    List<Fact> facts) {

  static final int FORMAT = 1;
  private static final int NUMBERED = 1;
  private static final int REPAIRED = 2;
  private static final long KEEPS_OLDER = 1L << 31;
  private static final int RADIX = 36;

  /** {@link Instant#until} cannot count the microseconds of the second before. */
  private static final long EARLIEST_MICROS = Long.MIN_VALUE + 1_000_000;

  private static final Pattern ID = Pattern.compile("(\\.?[0-9a-z]{1,12})?");

  /** A batch's id, which no other batch has. */
  record BatchId(long run, long number) {}

  /** The outcome of a batch that an endpoint in a given state does not refuse. */
  static BatchMessage decide(BatchId id, Known before, Batch batch) {
    return new BatchMessage(
        id,
        before.position(),
        before.hash(),
        before.id(),
        batch.endpoint(),
        batch.at().truncatedTo(ChronoUnit.MICROS),
        batch.sequence().orElse(0),
        false,
        batch.sequence().orElse(before.high()),
        before.version() + 1,
        SqliteReplica.survivors(batch));
  }

  /**
   * A batch that the stream had lost, for an endpoint in a given state. H is never lowered.
   *
   * @param endpointId of the endpoint; empty if the message's position is to be its id
   */
  static BatchMessage repair(
      BatchId id, Known before, EndpointName name, String endpointId, KeptChange lost) {
    return new BatchMessage(
        id,
        before.position(),
        before.hash(),
        endpointId,
        name,
        lost.at(),
        lost.sequence(),
        true,
        Math.max(before.high(), lost.high()),
        Math.max(before.version() + 1, lost.version()),
        lost.facts());
  }

  /** The position that is an id, as {@link #idAt} wrote it. */
  static long position(String id) {
    return Long.parseLong(id.startsWith(".") ? id.substring(1) : id, RADIX);
  }

  /** The endpoint's id once the message has a position. */
  private String idAt(long position) {
    if (!id.isEmpty()) {
      return id;
    }
    String number = Long.toString(position, RADIX);
    return endpoint.isReserved() ? "." + number : number;
  }

  /** The state of the endpoint after this message at a position. */
  Known after(long position, byte[] hash) {
    return new Known(idAt(position), high, version, position, hash);
  }

  /** The change at a position of the stream. */
  LoggedChange change(long position, byte[] hash) {
    Change change = new Change(position, idAt(position), endpoint, at, high, version, facts);
    return new LoggedChange(change, sequence, repaired, previous, previousHash, hash);
  }

  /** The hash of a message's octets. */
  static byte[] hash(byte[] octets) {
    return MessageHash.of(octets);
  }

  byte[] encode() {
    WireWriter writer = new WireWriter(512).u8(FORMAT).u64(batch.run).u64(batch.number);
    writer.u64(previous).octets(previousHash);
    writer.u8(repaired ? REPAIRED : sequence > 0 ? NUMBERED : 0);
    text(writer, id);
    writer.u64(high);
    if (repaired) {
      writer.u64(sequence);
    }
    writer.u64(version).u64(ChronoUnit.MICROS.between(Instant.EPOCH, at));
    text(writer, endpoint.d());
    text(writer, endpoint.ep());
    writer.u16(facts.size());
    for (Fact fact : facts) {
      text(writer, fact.slot());
      writer.u32(fact.keep() | (fact.keepsOlder() ? KEEPS_OLDER : 0));
      writer.u32(fact.body().length).octets(fact.body());
    }
    return writer.toOctets();
  }

  private static void text(WireWriter writer, String text) {
    byte[] octets = text.getBytes(StandardCharsets.UTF_8);
    if (octets.length > 0xffff) {
      throw new IllegalArgumentException("a name or slot has at most 65535 octets");
    }
    writer.u16(octets.length).octets(octets);
  }

  /**
   * @throws SignedObjectException when the octets are not a message of a known format
   */
  static BatchMessage decode(byte[] octets) {
    WireReader reader = new WireReader(octets);
    int format = reader.u8();
    if (format != FORMAT) {
      throw SignedObjectException.malformed("format " + format + " is unknown");
    }
    BatchId batch = new BatchId(reader.u64(), reader.u64());
    long previous = reader.u64();
    byte[] previousHash = previous == 0 ? new byte[0] : reader.octets(MessageHash.OCTETS);
    int flags = reader.u8();
    String id = text(reader);
    long high = reader.u64();
    boolean repaired = flags == REPAIRED;
    long sequence = repaired ? reader.u64() : flags == NUMBERED ? high : 0;
    long version = reader.u64();
    long at = reader.u64();
    String d = text(reader);
    String ep = text(reader);
    List<Fact> facts = facts(reader);
    reader.requireEnd("a batch");
    require(flags >= 0 && flags <= REPAIRED, "unknown flags");
    require(previous >= 0 && version >= 1 && high >= 0, "a number is negative");
    require(
        sequence >= (flags == NUMBERED ? 1 : 0) && sequence <= high, "the number is above H or 0");
    require(!ep.isEmpty() && ID.matcher(id).matches(), "the name or id is not valid");
    EndpointName name = new EndpointName(ep, d);
    require(id.isEmpty() || id.startsWith(".") == name.isReserved(), "the id is of another kind");
    require(!id.isEmpty() || version == 1 || repaired, "a new endpoint has version 1");
    require(at >= EARLIEST_MICROS, "the time is out of range");
    Instant time = Instant.EPOCH.plus(at, ChronoUnit.MICROS);
    return new BatchMessage(
        batch, previous, previousHash, id, name, time, sequence, repaired, high, version, facts);
  }

  private static List<Fact> facts(WireReader reader) {
    int count = reader.u16();
    require(count <= SqliteReplica.MAX_FACTS, "too many facts");
    List<Fact> facts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String slot = text(reader);
      long keep = reader.u32();
      long length = reader.u32();
      require(length <= reader.remaining(), "ends too early");
      byte[] body = reader.octets((int) length);
      try {
        facts.add(new Fact(slot, (int) (keep & ~KEEPS_OLDER), (keep & KEEPS_OLDER) != 0, body));
      } catch (IllegalArgumentException e) {
        throw SignedObjectException.malformed("a fact is not valid");
      }
    }
    return facts;
  }

  private static String text(WireReader reader) {
    return Utf8.decode(reader.octets(reader.u16()));
  }

  private static void require(boolean holds, String line) {
    if (!holds) {
      throw SignedObjectException.malformed(line);
    }
  }
}
