/**
 * What those who run the gateway watch: health, figures for Prometheus, and who may read those.
 * Everything is read on the thread that asks, from counters that others write.
 */
@NullMarked
package dev.vigil.gateway.operations;

import org.jspecify.annotations.NullMarked;
