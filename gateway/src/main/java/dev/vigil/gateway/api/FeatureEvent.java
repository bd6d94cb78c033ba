package dev.vigil.gateway.api;

import org.jspecify.annotations.Nullable;

/**
 * A server-sent event of a feature.
 *
 * @param name of the event, for instance {@code alarm}
 * @param id of the thing that changed
 * @param d domain whose readers may see it; null: operators of the gateway only
 * @param position in the store's feed
 * @param data written as JSON
 */
public record FeatureEvent(
    String name, String id, @Nullable String d, long position, Object data) {}
