package dev.vigil.mirror.model.keys;

import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.wire.WireReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The present key of an endpoint and its former keys, which verify older values.
 *
 * @param jkt the key's thumbprint
 * @param note why the key awaits approval; else null
 * @param previous the former keys, newest first, at most {@link #MAX_PREVIOUS}
 * @param arrival of a key that awaits approval; null for other keys and for keys that earlier
 *     versions stored
 */
public record KeyHistory(
    Jwk key,
    String jkt,
    TrustState state,
    @Nullable String note,
    List<Jwk> previous,
    @Nullable KeyArrival arrival) {
  static final int MAX_PREVIOUS = 4;

  public static KeyHistory of(Jwk key, TrustState state, @Nullable String note) {
    return new KeyHistory(key, key.thumbprint(), state, note, List.of(), null);
  }

  public KeyHistory withState(TrustState newState) {
    return new KeyHistory(key, jkt, newState, null, previous, null);
  }

  /**
   * Returns the history with another present key. A key that was never trusted does not become a
   * former key.
   */
  public KeyHistory replacedBy(Jwk newKey, TrustState newState) {
    List<Jwk> kept = new ArrayList<>(previous);
    if (state != TrustState.PENDING) {
      kept.addFirst(key);
    }
    return new KeyHistory(
        newKey,
        newKey.thumbprint(),
        newState,
        null,
        List.copyOf(kept.subList(0, Math.min(MAX_PREVIOUS, kept.size()))),
        null);
  }

  /**
   * The history after a key that waited leaves the name: the newest former key is present again.
   * That key is revoked, because only a revocation lets another key wait in its place.
   *
   * @return null if no former key had the name
   */
  public @Nullable KeyHistory withoutWaiting() {
    if (previous.isEmpty()) {
      return null;
    }
    Jwk former = previous.getFirst();
    return new KeyHistory(
        former,
        former.thumbprint(),
        TrustState.REVOKED,
        null,
        previous.subList(1, previous.size()),
        null);
  }

  /** The history of a key that awaits approval. */
  public KeyHistory waiting(String newNote, KeyArrival newArrival) {
    return new KeyHistory(key, jkt, state, newNote, previous, newArrival);
  }

  /** Whether the key is the present one or a former one. */
  public boolean contains(String thumbprint) {
    return jkt.equals(thumbprint)
        || previous.stream().anyMatch(old -> old.thumbprint().equals(thumbprint));
  }

  /** The JSON form in the store, which {@link #read} reads. */
  public byte[] body() {
    JsonWriter json = new JsonWriter().open('{').name("jwk").raw(key.json()).member("jkt", jkt);
    json.member("state", state.label()).member("note", note).name("previous").open('[');
    previous.forEach(old -> json.raw(old.json()));
    json.close(']');
    if (arrival != null) {
      json.name("arrival");
      arrival.write(json);
    }
    return json.close('}').toOctets();
  }

  public static KeyHistory read(byte[] body) {
    return new Parser(body).history();
  }

  private static final class Parser {
    private final JsonReader json;
    private final List<Jwk> previous = new ArrayList<>();
    private @Nullable Jwk key;
    private @Nullable String jkt;
    private TrustState state = TrustState.PENDING;
    private @Nullable String note;
    private @Nullable KeyArrival arrival;

    Parser(byte[] body) {
      json = new JsonReader(new WireReader(body));
    }

    KeyHistory history() {
      json.object(this::member);
      Jwk found = key;
      if (found == null) {
        throw RequestRefused.malformed("a key fact without key");
      }
      return new KeyHistory(
          found,
          jkt == null ? found.thumbprint() : jkt,
          state,
          note,
          List.copyOf(previous),
          arrival);
    }

    private void member(String name) {
      switch (name) {
        case "jwk" -> key = Jwk.read(json);
        case "jkt" -> jkt = json.string();
        case "state" -> state = TrustState.ofLabel(json.string());
        case "note" -> note = json.string();
        case "arrival" -> arrival = KeyArrival.read(json);
        case "previous" -> json.array(() -> previous.add(Jwk.read(json)));
        default -> json.skip();
      }
    }
  }
}
