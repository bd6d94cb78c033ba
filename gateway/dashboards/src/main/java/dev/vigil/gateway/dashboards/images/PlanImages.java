package dev.vigil.gateway.dashboards.images;

import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.stereotype.Component;

/**
 * The images of the floor plans of all dashboards, by dashboard and by the hash of their octets. An
 * image is stored in pieces. It is present when all its pieces are. Thread-safe.
 */
@Component
public final class PlanImages {
  /** The maximum size of an image in octets. */
  public static final int MAX_OCTETS = 512 << 10;

  /** The maximum number of images. */
  static final int MAX_IMAGES = 64;

  /** All pieces together are at most 16 MiB, because a gateway keeps its records in memory. */
  private static final int MAX_PIECES = 16 * 22;

  /** A record has at most 64 KiB of JSON, in which four characters express three octets. */
  private static final int PIECE = 47 << 10;

  /** An image that no tile shows after this time belongs to no change in progress. */
  private static final Duration UNSAVED = Duration.ofHours(1);

  /** The time after which a piece counts as not stored. */
  private static final Duration WRITE = Duration.ofSeconds(20);

  private final RecordSet<ImagePiece> pieces;

  /** Held while an image is written: only one piece at a time is a part of a batch. */
  private final ReentrantLock writing = new ReentrantLock();

  PlanImages(Records records) {
    this.pieces = records.of("dashboard-image", ImagePiece.class, MAX_PIECES);
  }

  /** The name of an image: the hash of its octets. */
  public static String nameOf(byte[] image) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(image);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String id(String dashboard, String image, int piece) {
    return "%s/%s/%02d".formatted(dashboard, image, piece);
  }

  public boolean has(String dashboard, String image) {
    return pieces
        .get(id(dashboard, image, 0))
        .filter(
            first ->
                IntStream.range(1, first.value().count())
                    .allMatch(i -> pieces.get(id(dashboard, image, i)).isPresent()))
        .isPresent();
  }

  /** The image of a dashboard. */
  public Optional<PlanImage> get(String dashboard, String image) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    String type = "";
    int count = 1;
    for (int i = 0; i < count; i++) {
      ImagePiece piece = pieces.get(id(dashboard, image, i)).map(Versioned::value).orElse(null);
      if (piece == null) {
        return Optional.empty();
      }
      octets.writeBytes(piece.octets());
      type = piece.type();
      count = piece.count();
    }
    return Optional.of(new PlanImage(type, octets.toByteArray()));
  }

  /**
   * Stores an image unless the dashboard has it.
   *
   * @param audit of the first piece
   * @return the first outcome other than done, or the last one
   */
  public Outcome put(String dashboard, byte[] image, ImageFormat.Header header, Audit audit) {
    writing.lock();
    try {
      String name = nameOf(image);
      int count = Math.ceilDiv(image.length, PIECE);
      if (has(dashboard, name)) {
        return new Outcome.Done(0);
      }
      if (names().size() >= MAX_IMAGES) {
        return new Outcome.Full(MAX_IMAGES);
      }
      if (pieces.size() + count > MAX_PIECES) {
        return new Outcome.Full(names().size());
      }
      Outcome outcome = new Outcome.Done(0);
      for (int i = 0; i < count && outcome instanceof Outcome.Done; i++) {
        byte[] part = Arrays.copyOfRange(image, i * PIECE, Math.min(image.length, (i + 1) * PIECE));
        outcome =
            Outcome.await(
                pieces.put(
                    id(dashboard, name, i),
                    new ImagePiece(
                        header.format().type(), header.width(), header.height(), count, part),
                    OptionalLong.empty(),
                    i == 0 ? audit : Audit.UNRECORDED),
                WRITE);
      }
      return outcome;
    } finally {
      writing.unlock();
    }
  }

  private Set<Name> names() {
    return pieces.all().stream().map(piece -> Name.of(piece.id())).collect(Collectors.toSet());
  }

  private record Name(String dashboard, String image) {
    static Name of(String id) {
      List<String> parts = List.of(id.split("/", -1));
      return new Name(parts.getFirst(), parts.get(1));
    }
  }

  /** Removes images of a dashboard. */
  public void remove(String dashboard, Set<String> images) {
    pieces.all().stream()
        .map(Versioned::id)
        .filter(id -> Name.of(id).dashboard.equals(dashboard) && images.contains(Name.of(id).image))
        .forEach(this::remove);
  }

  /** Removes all images of a dashboard. */
  public void removeAll(String dashboard) {
    pieces.all().stream()
        .map(Versioned::id)
        .filter(id -> Name.of(id).dashboard.equals(dashboard))
        .forEach(this::remove);
  }

  /**
   * Removes images that were uploaded some time ago and that no tile shows.
   *
   * @param used whether a tile of a dashboard shows an image
   */
  public void removeUnused(Instant now, BiPredicate<String, String> used) {
    for (Versioned<ImagePiece> piece : pieces.all()) {
      Name name = Name.of(piece.id());
      if (piece.at().plus(UNSAVED).isBefore(now) && !used.test(name.dashboard, name.image)) {
        remove(piece.id());
      }
    }
  }

  /** Another gateway of a cluster may have removed it first. */
  private void remove(String id) {
    pieces.remove(id, OptionalLong.empty(), Audit.UNRECORDED);
  }
}
