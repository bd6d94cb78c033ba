/**
 * What a radio is to the bridge, and the real ones: boards behind a serial port or TCP. Virtual
 * ones are in {@code ether}.
 *
 * <p>A {@link dev.vigil.border.radio.RadioLink} speaks in PSDU octets without FCS; what they mean
 * is nobody's business here.
 *
 * <p>Threads: a SLIP line has two, a reader that also opens it and a writer; both hold the line's
 * lock while they touch its session, never during I/O. {@code send} may be called from any thread:
 * it only puts a frame into a bounded queue. Listeners are called on the link's threads and must
 * not block.
 */
@NullMarked
package dev.vigil.border.radio;

import org.jspecify.annotations.NullMarked;
