package dev.vigil.gateway.calibrations;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * A calibration of the numbers of a resource. Pages show the signed number, times factor, plus
 * offset.
 *
 * @param path of the resource, percent-encoded, relative to the path of the endpoint
 * @param name SenML name of the records to which it applies; absent: all records of the resource
 *     that have no calibration of their own
 * @param factor not 0
 * @param unit SenML unit of the result; absent: the signed unit
 * @param note for people
 * @param date of the calibration
 */
@Schema(name = "Calibration")
public record Calibration(
    String path,
    @Nullable String name,
    double factor,
    double offset,
    @Nullable String unit,
    @Nullable String note,
    @Nullable LocalDate date) {

  /** Whether it applies to a name that was measured at a path. */
  boolean appliesTo(String measuredAt, String measured) {
    return path.equals(measuredAt) && (name == null || name.equals(measured));
  }
}
