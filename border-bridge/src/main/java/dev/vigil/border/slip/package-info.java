/**
 * SLIP framing (RFC 1055) and the two Contiki-NG protocols over it: slip-radio and tunslip6.
 *
 * <p>Threads: none. Codecs are pure; a {@code SlipDecoder} belongs to the thread that reads the
 * port; the line's lock guards its session.
 */
@NullMarked
package dev.vigil.border.slip;

import org.jspecify.annotations.NullMarked;
