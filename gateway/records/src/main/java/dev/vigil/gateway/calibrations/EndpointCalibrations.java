package dev.vigil.gateway.calibrations;

import java.util.List;

/**
 * The calibrations of an endpoint.
 *
 * @param d domain of the endpoint
 * @param ep its endpoint name
 * @param calibrations never empty
 */
public record EndpointCalibrations(String d, String ep, List<Calibration> calibrations) {
  /** The kind of these records. The id of a record is the id of its endpoint. */
  static final String KIND = "endpoint-calibrations";

  /** The maximum number of endpoints with calibrations. */
  static final int MAX = 200_000;

  public EndpointCalibrations {
    calibrations = List.copyOf(calibrations);
  }
}
