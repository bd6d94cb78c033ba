package dev.vigil.gateway.store.jetstream.snapshots;

import io.nats.client.api.ObjectInfo;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * A copy of a replica in the object store: its database, compressed as RFC 1950 describes.
 *
 * @param stream id of the stream that filled the replica
 * @param position of its newest change
 * @param hash of that change's message
 * @param format of the database
 * @param octets of the database
 * @param sha256 of the database, in hexadecimal digits
 * @param at the time at which it was made
 */
public record Snapshot(
    String stream, long position, byte[] hash, int format, long octets, String sha256, Instant at) {
  private static final String STREAM = "vigil.stream";
  private static final String POSITION = "vigil.position";
  private static final String HASH = "vigil.hash";
  private static final String FORMAT = "vigil.format";
  private static final String OCTETS = "vigil.octets";
  private static final String SHA256 = "vigil.sha256";
  private static final String AT = "vigil.at";

  /** The name of its object, different for each snapshot. */
  public String name() {
    return "%s-%020d-%s".formatted(stream, position, sha256.substring(0, 16));
  }

  Map<String, String> metadata() {
    return Map.of(
        STREAM, stream,
        POSITION, Long.toString(position),
        HASH, HexFormat.of().formatHex(hash),
        FORMAT, Integer.toString(format),
        OCTETS, Long.toString(octets),
        SHA256, sha256,
        AT, at.toString());
  }

  /** The snapshot that an object holds; empty if it is none. */
  static Optional<Snapshot> of(ObjectInfo object) {
    Map<String, String> data = object.getMetaData();
    try {
      Snapshot read =
          new Snapshot(
              data.getOrDefault(STREAM, ""),
              Long.parseLong(data.getOrDefault(POSITION, "")),
              HexFormat.of().parseHex(data.getOrDefault(HASH, "")),
              Integer.parseInt(data.getOrDefault(FORMAT, "")),
              Long.parseLong(data.getOrDefault(OCTETS, "")),
              data.getOrDefault(SHA256, ""),
              Instant.parse(data.getOrDefault(AT, "")));
      boolean named = read.sha256.length() == 64 && read.name().equals(object.getObjectName());
      return named ? Optional.of(read) : Optional.empty();
    } catch (IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }
}
