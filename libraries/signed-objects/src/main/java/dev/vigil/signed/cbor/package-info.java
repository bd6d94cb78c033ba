/**
 * Strict CBOR (RFC 8949): a pull reader over {@link dev.vigil.signed.wire.WireReader}, and a writer
 * of the deterministic form (section 4.2). Readers and writers are confined to one thread.
 */
@NullMarked
package dev.vigil.signed.cbor;

import org.jspecify.annotations.NullMarked;
