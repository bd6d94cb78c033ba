/**
 * From the command line to a gateway that answers, and back: options, the {@code ready} line, what
 * is said when it cannot start. The main thread starts everything, waits, and ends it in order.
 */
@NullMarked
package dev.vigil.gateway.launch;

import org.jspecify.annotations.NullMarked;
