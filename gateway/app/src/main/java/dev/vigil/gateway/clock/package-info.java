/**
 * The machine's clock, compared with the monotonic clock and with the times in the store. The
 * thread {@code clock-watch} compares every ten seconds; metrics, health and alarms read {@link
 * dev.vigil.gateway.clock.ClockWatch#state}.
 */
@ApplicationModule(allowedDependencies = {"store"})
@NullMarked
package dev.vigil.gateway.clock;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
