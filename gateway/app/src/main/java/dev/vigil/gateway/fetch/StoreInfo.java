package dev.vigil.gateway.fetch;

import dev.vigil.signed.cbor.CborReader;
import dev.vigil.signed.wire.WireReader;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer of {@code /store/info}.
 *
 * @param mode {@code A}, {@code B} or {@code D}
 * @param newest number of the newest block; 0: nothing is stored
 * @param sensors by the index that records have
 */
record StoreInfo(String mode, long newest, List<Sensor> sensors) {
  /** Mode D: its sequence numbers repeat with each transfer. */
  static final String STORED_ICV = "D";

  /** A sensor's path, and the unit of its values. */
  record Sensor(String path, String unit) {}

  /**
   * @throws dev.vigil.signed.SignedObjectException if it is malformed
   */
  static StoreInfo parse(byte[] octets) {
    var parts =
        new Object() {
          String mode = "";
          long newest;
        };
    List<Sensor> sensors = new ArrayList<>();
    CborReader in = new CborReader(new WireReader(octets));
    in.map(
        key -> {
          switch (key) {
            case CborReader.IntKey(long label) when label == 0 -> parts.mode = in.text();
            case CborReader.IntKey(long label) when label == 3 -> parts.newest = in.unsigned();
            case CborReader.IntKey(long label) when label == 4 -> {
              for (int left = in.array(); left >= 2; left -= 2) {
                sensors.add(new Sensor(in.text(), in.text()));
              }
            }
            default -> in.skip();
          }
        });
    in.end();
    return new StoreInfo(parts.mode, parts.newest, List.copyOf(sensors));
  }
}
