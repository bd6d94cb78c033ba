/**
 * Sensor measurement lists (SenML, RFC 8428) in JSON and CBOR: parsed, validated and resolved. Pure
 * functions.
 */
@NullMarked
package dev.vigil.signed.senml;

import org.jspecify.annotations.NullMarked;
