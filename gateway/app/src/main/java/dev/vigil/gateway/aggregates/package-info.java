/**
 * Numbers of endpoints by minute, hour and day, kept for years: least, mean, greatest and last.
 *
 * <p>Threads: {@code aggregates} reads the feed, parses the values and hands the numbers to the
 * store, whose thread writes them. The store's thread only puts changes into a bounded queue; what
 * does not fit is read from the store later. A lock lets readers see written and pending numbers
 * together, each number once.
 */
@ApplicationModule(allowedDependencies = {"settings", "store"})
@NullMarked
package dev.vigil.gateway.aggregates;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
