/**
 * SLIP framing (RFC 1055) and the two protocols Contiki-NG speaks over it: slip-radio and tunslip6.
 *
 * <p>Threads: none of its own. Codecs are pure; a {@code SlipDecoder} belongs to the thread that
 * reads the port.
 */
@NullMarked
package dev.vigil.border.slip;

import org.jspecify.annotations.NullMarked;
