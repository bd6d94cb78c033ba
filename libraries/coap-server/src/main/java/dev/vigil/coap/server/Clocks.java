package dev.vigil.coap.server;

import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * The clocks of a server.
 *
 * @param wallClock for Echo values, notification sequence numbers and rate limits
 * @param nanoTime a monotonic clock for message lifetimes, such as {@link System#nanoTime}
 */
public record Clocks(Clock wallClock, LongSupplier nanoTime) {}
