package dev.vigil.mirror.model;

import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.wire.WireReader;

/**
 * The body of {@link StoreSlots#FLOOR}: no name's sequence or command numbers up to this floor are
 * accepted.
 */
public final class NumberFloor {
  private static final String FLOOR = "floor";

  private NumberFloor() {}

  public static byte[] body(long floor) {
    return new JsonWriter().open('{').member(FLOOR, floor).close('}').toOctets();
  }

  public static long read(byte[] body) {
    JsonReader json = new JsonReader(new WireReader(body));
    long[] floor = {0};
    json.object(
        name -> {
          if (name.equals(FLOOR)) {
            floor[0] = json.integer();
          } else {
            json.skip();
          }
        });
    return floor[0];
  }
}
