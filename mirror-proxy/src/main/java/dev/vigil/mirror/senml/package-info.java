/** Sensor measurement lists (RFC 8428), as JSON and as CBOR. Pure functions. */
@NullMarked
package dev.vigil.mirror.senml;

import org.jspecify.annotations.NullMarked;
