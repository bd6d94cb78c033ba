package dev.vigil.mirror.update;

import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.signed.jose.CoseSign1;
import dev.vigil.signed.jose.SignedObject;
import dev.vigil.signed.senml.SenmlPack;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Checks the times of measurements (docs/protocol.md section 5). */
final class MeasurementTimes {
  private static final String SENML_JSON = "application/senml+json";

  private MeasurementTimes() {}

  static boolean isSenml(@Nullable String cty) {
    return SENML_JSON.equals(cty) || CoseSign1.SENML_CBOR.equals(cty);
  }

  /**
   * The payload of an update.
   *
   * @throws dev.vigil.signed.SignedObjectException if it is not SenML
   */
  static SenmlPack pack(SignedObject signed) {
    return SENML_JSON.equals(signed.header().cty())
        ? SenmlPack.readJson(signed.payload())
        : SenmlPack.readCbor(signed.payload());
  }

  /**
   * Whether the newest measurement is older than the domain's max-delay.
   *
   * @throws RequestRefused 4.00 if the payload is not SenML; 4.03 if the newest measurement is
   *     dated later than the domain's max-clock-skew permits
   */
  static boolean isDelayed(SignedObject signed, Instant arrived, Domain domain) {
    SenmlPack pack = pack(signed);
    double now = arrived.toEpochMilli() / 1000.0;
    double newest = pack.newest(now);
    if (newest > now + domain.maxClockSkew().toSeconds()) {
      throw new RequestRefused(
          Reason.POLICY, "a measurement is dated in the future: check the clock");
    }
    return newest < now - domain.maxDelay().toSeconds();
  }
}
