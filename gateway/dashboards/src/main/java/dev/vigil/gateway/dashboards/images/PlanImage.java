package dev.vigil.gateway.dashboards.images;

/**
 * An image of a floor plan.
 *
 * @param type media type
 */
public record PlanImage(String type, byte[] octets) {}
