/**
 * Health and metrics for Prometheus, and access to the metrics. Everything is read on the request's
 * thread from counters that other threads write.
 */
@NullMarked
package dev.vigil.gateway.operations;

import org.jspecify.annotations.NullMarked;
