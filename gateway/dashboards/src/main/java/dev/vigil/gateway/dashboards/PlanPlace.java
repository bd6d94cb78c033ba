package dev.vigil.gateway.dashboards;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A place of a floor plan.
 *
 * @param endpoint id of the endpoint
 * @param path of the resource whose value is shown, percent-encoded; absent: only its state
 * @param x from the left edge, in fractions of the image's width, 0 to 1, with four decimals
 * @param y from the upper edge, in fractions of its height
 */
@Schema(name = "PlanPlace")
public record PlanPlace(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String endpoint,
    @Nullable String path,
    double x,
    double y) {}
