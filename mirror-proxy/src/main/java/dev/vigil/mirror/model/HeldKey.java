package dev.vigil.mirror.model;

import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.wire.WireReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A registration of a known name by another key. It awaits an operator's decision and meanwhile
 * does not advance the endpoint's highest accepted sequence number.
 *
 * @param lease the registration that approval would bring into force
 * @param why one line for the operator
 */
public record HeldKey(Jwk key, Lease lease, String why) {
  /** The JSON form in the store, which {@link #read} reads. */
  public byte[] body() {
    return new JsonWriter()
        .open('{')
        .name("jwk")
        .raw(key.json())
        .member("why", why)
        .name("lease")
        .raw(new String(lease.body(null), StandardCharsets.UTF_8))
        .close('}')
        .toOctets();
  }

  static HeldKey read(byte[] body) {
    return new Parser(body).held();
  }

  private static final class Parser {
    private final JsonReader json;
    private @Nullable Jwk key;
    private @Nullable Lease lease;
    private String why = "";

    Parser(byte[] body) {
      json = new JsonReader(new WireReader(body));
    }

    HeldKey held() {
      json.object(this::member);
      Jwk foundKey = key;
      Lease foundLease = lease;
      if (foundKey == null || foundLease == null) {
        throw RequestRefused.malformed("a held key without key or lease");
      }
      return new HeldKey(foundKey, foundLease, why);
    }

    private void member(String name) {
      switch (name) {
        case "jwk" -> key = Jwk.read(json);
        case "lease" -> lease = Lease.read(json);
        case "why" -> why = json.string();
        default -> json.skip();
      }
    }
  }
}
