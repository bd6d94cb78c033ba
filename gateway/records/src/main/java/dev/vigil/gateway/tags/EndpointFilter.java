package dev.vigil.gateway.tags;

import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.Freshness;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects the endpoints that fit every member; without members, all endpoints.
 *
 * @param ep endpoint name
 * @param d domain; "-" for the one without a name
 * @param text part of the name, or of the name or location that operators gave
 * @param freshness on-time, late, missing or not-trusted
 * @param trust unproven, pending, trusted, replaced or revoked
 * @param tags that the endpoint has, at most 32
 */
@Schema(name = "EndpointFilter")
public record EndpointFilter(
    @Nullable String ep,
    @Nullable String d,
    @Nullable String text,
    @LabelsOf(Freshness.class) @Nullable String freshness,
    @LabelsOf(TrustState.class) @Nullable String trust,
    @Nullable List<String> tags) {
  EndpointFilter withTags(List<String> checked) {
    return new EndpointFilter(ep, d, text, freshness, trust, checked);
  }
}
