package dev.vigil.mirror.model;

import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.wire.WireReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The present key of an endpoint and its former keys, with which older values are verified.
 *
 * @param jkt the key's thumbprint
 * @param note why the key awaits approval, else null
 * @param previous the former keys, newest first, at most {@link #MAX_PREVIOUS}
 */
public record KeyHistory(
    Jwk key, String jkt, TrustState state, @Nullable String note, List<Jwk> previous) {
  static final int MAX_PREVIOUS = 4;

  public static KeyHistory of(Jwk key, TrustState state, @Nullable String note) {
    return new KeyHistory(key, key.thumbprint(), state, note, List.of());
  }

  public KeyHistory withState(TrustState newState) {
    return new KeyHistory(key, jkt, newState, null, previous);
  }

  public KeyHistory replacedBy(Jwk newKey, TrustState newState) {
    List<Jwk> kept = new ArrayList<>(previous);
    kept.addFirst(key);
    return new KeyHistory(
        newKey,
        newKey.thumbprint(),
        newState,
        null,
        List.copyOf(kept.subList(0, Math.min(MAX_PREVIOUS, kept.size()))));
  }

  public KeyHistory withNote(String newNote) {
    return new KeyHistory(key, jkt, state, newNote, previous);
  }

  /** The JSON form in the store, which {@link #read} reads. */
  public byte[] body() {
    JsonWriter json = new JsonWriter().open('{').name("jwk").raw(key.json()).member("jkt", jkt);
    json.member("state", state.label()).member("note", note).name("previous").open('[');
    previous.forEach(old -> json.raw(old.json()));
    return json.close(']').close('}').toOctets();
  }

  static KeyHistory read(byte[] body) {
    return new Parser(body).history();
  }

  private static final class Parser {
    private final JsonReader json;
    private final List<Jwk> previous = new ArrayList<>();
    private @Nullable Jwk key;
    private @Nullable String jkt;
    private TrustState state = TrustState.PENDING;
    private @Nullable String note;

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
          found, jkt == null ? found.thumbprint() : jkt, state, note, List.copyOf(previous));
    }

    private void member(String name) {
      switch (name) {
        case "jwk" -> key = Jwk.read(json);
        case "jkt" -> jkt = json.string();
        case "state" -> state = TrustState.ofLabel(json.string());
        case "note" -> note = json.string();
        case "previous" -> json.array(() -> previous.add(Jwk.read(json)));
        default -> json.skip();
      }
    }
  }
}
