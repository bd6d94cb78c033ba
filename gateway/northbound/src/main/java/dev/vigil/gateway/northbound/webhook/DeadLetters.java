package dev.vigil.gateway.northbound.webhook;

import dev.vigil.gateway.northbound.events.CloudEvent;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.signed.jose.Jwk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Component;

/** The events that servers refused permanently, until an operator replays or discards them. */
@Component
class DeadLetters {
  /** The maximum number of dead letters of all webhooks; beyond it, deliveries wait. */
  static final int MAX = 1000;

  private final RecordSet<DeadLetter> stored;

  DeadLetters(Records records) {
    this.stored = records.of("dead-letter", DeadLetter.class, MAX);
  }

  /**
   * Stores an event durably.
   *
   * @throws IOException when the event cannot be stored and must be sent again
   */
  void keep(String webhook, CloudEvent event) throws IOException {
    DeadLetter whole = new DeadLetter(webhook, event.id(), event.type(), event.json());
    DeadLetter letter = stored.fits(whole) ? whole : whole.withoutEvent();
    Outcome outcome =
        stored.put(id(webhook, event), letter, OptionalLong.empty(), Audit.UNRECORDED).join();
    if (!(outcome instanceof Outcome.Done)) {
      throw new IOException(
          outcome instanceof Outcome.Full
              ? "%d dead letters wait: replay or discard some at /api/webhooks".formatted(MAX)
              : "the store cannot write a dead letter");
    }
  }

  /** The id of a letter; a digest when names and paths are too long for the id of a record. */
  private static String id(String webhook, CloudEvent event) {
    String id = webhook + "." + event.id().replace('/', '~');
    return id.length() <= RecordSet.MAX_ID
        ? id
        : HexFormat.of().formatHex(Jwk.sha256(id.getBytes(StandardCharsets.UTF_8)));
  }

  /** The letters of a webhook, oldest first. */
  List<Versioned<DeadLetter>> of(String webhook) {
    return stored.all().stream()
        .filter(letter -> letter.value().webhook().equals(webhook))
        .sorted((a, b) -> Long.compare(a.version(), b.version()))
        .toList();
  }

  Optional<Versioned<DeadLetter>> get(String webhook, String id) {
    return stored.get(id).filter(letter -> letter.value().webhook().equals(webhook));
  }

  CompletableFuture<Outcome> remove(Versioned<DeadLetter> letter, Audit audit) {
    return stored.remove(letter.id(), OptionalLong.of(letter.version()), audit);
  }
}
