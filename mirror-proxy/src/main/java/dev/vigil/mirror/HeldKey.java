package dev.vigil.mirror;

import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.JsonText;
import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;
import org.jspecify.annotations.Nullable;

/**
 * A registration of a known name by another key, which waits for an operator.
 *
 * @param lease what it would register
 * @param why one line
 */
record HeldKey(Jwk key, Lease lease, String why) {
  byte[] body() {
    return new JsonText()
        .open('{')
        .name("jwk")
        .raw(key.json())
        .member("why", why)
        .name("lease")
        .raw(new String(lease.body(null), java.nio.charset.StandardCharsets.UTF_8))
        .close('}')
        .toOctets();
  }

  static HeldKey read(byte[] body) {
    Reading reading = new Reading(body);
    return reading.held();
  }

  private static final class Reading {
    private final JsonReader json;
    private @Nullable Jwk key;
    private @Nullable Lease lease;
    private String why = "";

    Reading(byte[] body) {
      json = new JsonReader(new WireReader(body));
    }

    HeldKey held() {
      json.object(this::member);
      Jwk foundKey = key;
      Lease foundLease = lease;
      if (foundKey == null || foundLease == null) {
        throw Rejection.malformed("a held key without key or lease");
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
