package dev.vigil.mirror;

import dev.vigil.mirror.jose.CoseSign1;
import dev.vigil.mirror.jose.Signed;
import dev.vigil.mirror.senml.Pack;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Judges what was measured, and when (section 5 of the protocol). */
final class Measured {
  private static final String SENML_JSON = "application/senml+json";

  private Measured() {}

  static boolean isSenml(@Nullable String cty) {
    return SENML_JSON.equals(cty) || CoseSign1.SENML_CBOR.equals(cty);
  }

  /**
   * @return whether it is delayed: its newest measurement is older than the domain's max-delay
   * @throws Rejection 4.00 no SenML; 4.03 a time too far ahead
   */
  static boolean judge(Signed signed, Instant arrived, Domain domain) {
    Pack pack =
        SENML_JSON.equals(signed.header().cty())
            ? Pack.readJson(signed.payload())
            : Pack.readCbor(signed.payload());
    double now = arrived.toEpochMilli() / 1000.0;
    double newest = pack.newest(now);
    if (newest > now + domain.maxClockSkew().toSeconds()) {
      throw new Rejection(Reason.POLICY, "a measurement lies in the future: check the clock");
    }
    return newest < now - domain.maxDelay().toSeconds();
  }
}
