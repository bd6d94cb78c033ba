/** Measurements over real sockets and a real disk; run by {@code ./vigil bench}. */
@NullMarked
package dev.vigil.gateway.bench;

import org.jspecify.annotations.NullMarked;
