/**
 * Servers in separate processes, clients that load them, and the processor time of threads. All
 * benchmarks use them.
 */
@NullMarked
package dev.vigil.gateway.bench.load;

import org.jspecify.annotations.NullMarked;
