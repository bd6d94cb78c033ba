package dev.vigil.gateway.dashboards.contents;

import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.gateway.calibrations.CalibratedEndpoints;
import dev.vigil.gateway.calibrations.Calibration;
import dev.vigil.gateway.dashboards.contents.ContentJson.ReadingJson;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.ResourceView;
import dev.vigil.signed.senml.SenmlValue;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the last values of resources, with their calibrations. */
@Component
class Readings {
  private final CalibratedEndpoints calibrated;

  Readings(CalibratedEndpoints calibrated) {
    this.calibrated = calibrated;
  }

  /** The last value at a path; empty if the endpoint has no such resource. */
  Optional<ReadingJson> of(EndpointView endpoint, @Nullable String path) {
    return endpoint.resources().stream()
        .filter(resource -> resource.path().equals(path))
        .findAny()
        .map(resource -> reading(endpoint.id(), resource));
  }

  @Nullable Calibration calibration(String id, String path, String measured) {
    return calibrated.of(id, path, measured);
  }

  private ReadingJson reading(String id, ResourceView resource) {
    String name = resource.name();
    SenmlValue value = resource.value();
    return new ReadingJson(
        resource.unit(),
        value == null ? resource.sum() : plain(value),
        resource.arrived(),
        resource.marks().stream().map(LabelsOf.Label::of).sorted().toList(),
        name == null ? null : calibration(id, resource.path(), name));
  }

  private static Object plain(SenmlValue value) {
    return switch (value) {
      case SenmlValue.Number(double number) -> number;
      case SenmlValue.Text(String text) -> text;
      case SenmlValue.Bool(boolean bool) -> bool;
      case SenmlValue.Data(byte[] octets) ->
          Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
    };
  }
}
