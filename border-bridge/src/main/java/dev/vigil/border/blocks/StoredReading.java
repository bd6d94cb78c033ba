package dev.vigil.border.blocks;

import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * A reading in a stored block: 10 octets, value (sensor, decimal exponent, mantissa), time,
 * sequence number.
 *
 * @param sensor index among the mote's sensors, 0 to 14
 * @param time in seconds of unix time
 * @param sequence the low 16 bits of its update's number; 0 if no update was made
 */
public record StoredReading(int sensor, BigDecimal value, long time, int sequence) {
  private static final int OCTETS = 10;
  private static final int NO_RECORD = 15;

  /** The readings of a block; places without one are skipped. */
  public static List<StoredReading> all(byte[] payload) throws WireException {
    WireReader in = new WireReader(payload);
    List<StoredReading> readings = new ArrayList<>();
    while (in.remaining() >= OCTETS) {
      int packed = (int) in.u32();
      long time = in.u32();
      int sequence = in.u16();
      int sensor = packed >>> 28;
      int exponent = packed << 4 >> 28;
      int mantissa = packed << 8 >> 8;
      if (sensor != NO_RECORD) {
        readings.add(
            new StoredReading(sensor, BigDecimal.valueOf(mantissa, -exponent), time, sequence));
      }
    }
    return readings;
  }
}
