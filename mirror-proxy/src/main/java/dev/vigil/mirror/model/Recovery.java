package dev.vigil.mirror.model;

import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.wire.WireReader;
import java.time.Instant;

/**
 * How far the block store of an endpoint was searched for readings that the mirror lacks.
 *
 * @param mote the address of the mote; no other endpoint gets its readings until an operator
 *     reassigns the block store
 * @param through gaps that ended by this time are filled as far as the block store had readings
 */
public record Recovery(String mote, Instant through) {
  /** The body of a fact in {@link StoreSlots#RECOVERY}. */
  public byte[] body() {
    return new JsonWriter()
        .open('{')
        .member("mote", mote)
        .member("through", through.toEpochMilli())
        .close('}')
        .toOctets();
  }

  public static Recovery read(byte[] body) {
    var parts =
        new Object() {
          String mote = "";
          long through;
        };
    JsonReader json = new JsonReader(new WireReader(body));
    json.object(
        name -> {
          switch (name) {
            case "mote" -> parts.mote = json.string();
            case "through" -> parts.through = json.integer();
            default -> json.skip();
          }
        });
    return new Recovery(parts.mote, Instant.ofEpochMilli(parts.through));
  }
}
