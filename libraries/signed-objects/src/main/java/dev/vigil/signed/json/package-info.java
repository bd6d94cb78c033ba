/**
 * Strict JSON (RFC 8259): a pull reader over {@link dev.vigil.signed.wire.WireReader}, and a
 * writer. Readers and writers are confined to one thread.
 */
@NullMarked
package dev.vigil.signed.json;

import org.jspecify.annotations.NullMarked;
