package dev.vigil.mirror;

import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.JsonText;
import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key of an endpoint, and those it had before, so that their values can still be verified.
 *
 * @param jkt the key's thumbprint
 * @param note why it is held, else null
 * @param previous at most {@link #REMEMBERED}, newest first
 */
record KeyRing(Jwk key, String jkt, TrustState state, @Nullable String note, List<Jwk> previous) {
  static final int REMEMBERED = 4;

  static KeyRing of(Jwk key, TrustState state, @Nullable String note) {
    return new KeyRing(key, key.thumbprint(), state, note, List.of());
  }

  KeyRing in(TrustState newState) {
    return new KeyRing(key, jkt, newState, null, previous);
  }

  KeyRing replacedBy(Jwk newKey, TrustState newState) {
    List<Jwk> kept = new ArrayList<>(previous);
    kept.addFirst(key);
    return new KeyRing(
        newKey,
        newKey.thumbprint(),
        newState,
        null,
        List.copyOf(kept.subList(0, Math.min(REMEMBERED, kept.size()))));
  }

  KeyRing noted(String newNote) {
    return new KeyRing(key, jkt, state, newNote, previous);
  }

  byte[] body() {
    JsonText json = new JsonText().open('{').name("jwk").raw(key.json()).member("jkt", jkt);
    json.member("state", state.label()).member("note", note).name("previous").open('[');
    previous.forEach(old -> json.raw(old.json()));
    return json.close(']').close('}').toOctets();
  }

  static KeyRing read(byte[] body) {
    Reading reading = new Reading(body);
    return reading.ring();
  }

  private static final class Reading {
    private final JsonReader json;
    private final List<Jwk> previous = new ArrayList<>();
    private @Nullable Jwk key;
    private @Nullable String jkt;
    private TrustState state = TrustState.PENDING;
    private @Nullable String note;

    Reading(byte[] body) {
      json = new JsonReader(new WireReader(body));
    }

    KeyRing ring() {
      json.object(this::member);
      Jwk found = key;
      if (found == null) {
        throw Rejection.malformed("a key fact without key");
      }
      return new KeyRing(
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
