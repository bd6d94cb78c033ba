/**
 * {@code ./vigil evaluate}: the tables of the papers that the project is built from, measured again
 * (docs/evaluation.md). One thread; what runs outside of it are processes of the mote firmware.
 */
@NullMarked
package dev.vigil.gateway.evaluate;

import org.jspecify.annotations.NullMarked;
