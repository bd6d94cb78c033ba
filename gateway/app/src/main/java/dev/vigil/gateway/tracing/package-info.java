/**
 * Optional OpenTelemetry traces: a span for each request from the arrival of its datagram to its
 * response, with its waiting time, and its commits as child spans. Without the setting no class of
 * OpenTelemetry is loaded, and requests run without a tracer.
 *
 * <p>Threads: spans are made by the threads of requests and of the store; one thread of the SDK
 * sends them, and drops them when its queue is full.
 */
@ApplicationModule(allowedDependencies = {"settings"})
@NullMarked
package dev.vigil.gateway.tracing;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
