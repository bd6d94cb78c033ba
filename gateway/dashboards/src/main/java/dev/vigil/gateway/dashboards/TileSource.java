package dev.vigil.gateway.dashboards;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint or one of its resources.
 *
 * @param endpoint its id
 * @param path of the resource, percent-encoded; absent for the endpoint itself
 */
@Schema(name = "TileSource")
public record TileSource(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String endpoint, @Nullable String path) {}
