package dev.vigil.border.sixlowpan.iphc;

import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/**
 * The TF field: traffic class and flow label (RFC 6282, section 3.2.1). ECN precedes DSCP in the
 * compressed form; in the IPv6 header DSCP precedes ECN.
 */
public record TrafficFields(int trafficClass, int flowLabel) {
  private static final int ALL_INLINE = 0;
  private static final int ECN_AND_FLOW = 1;
  private static final int CLASS_ALONE = 2;
  private static final int ELIDED = 3;
  private static final int[] LENGTHS = {4, 3, 1, 0};
  private static final int FLOW = 0xfffff;

  public int mode() {
    if (flowLabel == 0) {
      return trafficClass == 0 ? ELIDED : CLASS_ALONE;
    }
    return dscp() == 0 ? ECN_AND_FLOW : ALL_INLINE;
  }

  /** The number of inline octets. */
  public int length() {
    return LENGTHS[mode()];
  }

  public void write(WireWriter out) {
    switch (mode()) {
      case ALL_INLINE -> out.u8(ecn() << 6 | dscp()).u24(flowLabel);
      case ECN_AND_FLOW -> out.u24(ecn() << 22 | flowLabel);
      case CLASS_ALONE -> out.u8(ecn() << 6 | dscp());
      default -> {}
    }
  }

  public static TrafficFields read(int mode, WireReader in) throws WireException {
    return switch (mode) {
      case ALL_INLINE -> new TrafficFields(trafficClass(in.u8()), in.u24() & FLOW);
      case ECN_AND_FLOW -> {
        int field = in.u24();
        yield new TrafficFields(field >> 22, field & FLOW);
      }
      case CLASS_ALONE -> new TrafficFields(trafficClass(in.u8()), 0);
      default -> new TrafficFields(0, 0);
    };
  }

  private int dscp() {
    return trafficClass >> 2;
  }

  private int ecn() {
    return trafficClass & 3;
  }

  private static int trafficClass(int compressed) {
    return compressed << 2 & 0xfc | compressed >> 6;
  }
}
