package dev.vigil.mirror.model;

import dev.vigil.mirror.model.keys.KeyArrival;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A registration of a known name by another key. It awaits an operator's decision; until then it
 * does not advance the endpoint's highest accepted sequence number.
 *
 * @param jkt the thumbprint of {@code key}
 * @param lease the registration that takes effect on approval
 * @param why one line for the operator
 */
public record HeldKey(Jwk key, String jkt, Lease lease, String why, KeyArrival arrival) {

  /**
   * The {@code why} of a rotation.
   *
   * @param jkt the thumbprint of the old key, which signed it
   */
  public static String rotationFrom(String jkt) {
    return "rotation from " + jkt;
  }

  /** Whether the holder of a key signed that this key replaces it. */
  public boolean isRotationFrom(String otherJkt) {
    return why.equals(rotationFrom(otherJkt));
  }

  void write(JsonWriter json) {
    json.open('{').name("jwk").raw(key.json()).member("why", why).name("arrival");
    arrival.write(json);
    json.name("lease").raw(new String(lease.body(null), StandardCharsets.UTF_8)).close('}');
  }

  /** Collects the members of the JSON form. */
  static final class Parser {
    private final JsonReader json;
    private @Nullable Jwk key;
    private @Nullable Lease lease;
    private @Nullable KeyArrival arrival;
    private String why = "";

    Parser(JsonReader json) {
      this.json = json;
    }

    HeldKey object() {
      json.object(this::member);
      return held();
    }

    boolean isEmpty() {
      return key == null && lease == null;
    }

    HeldKey held() {
      Jwk foundKey = key;
      Lease foundLease = lease;
      KeyArrival foundArrival = arrival;
      if (foundKey == null || foundLease == null) {
        throw RequestRefused.malformed("a held key without key or lease");
      }
      return new HeldKey(
          foundKey,
          foundKey.thumbprint(),
          foundLease,
          why,
          foundArrival == null ? KeyArrival.unknown(foundLease.registered()) : foundArrival);
    }

    void member(String name) {
      switch (name) {
        case "jwk" -> key = Jwk.read(json);
        case "lease" -> lease = Lease.read(json);
        case "why" -> why = json.string();
        case "arrival" -> arrival = KeyArrival.read(json);
        default -> json.skip();
      }
    }
  }
}
