/**
 * What benchmarks measure and with what: servers in processes of their own, clients that load them,
 * and the processor time of threads.
 */
@NullMarked
package dev.vigil.gateway.bench.load;

import org.jspecify.annotations.NullMarked;
