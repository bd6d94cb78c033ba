/**
 * The module's one cursor over received octets, and the two data languages read and written through
 * it: strict JSON (RFC 8259) and deterministic CBOR (RFC 8949 section 4.2). Pure functions of their
 * input; what is not exactly right is a {@link dev.vigil.mirror.wire.Rejection}.
 */
@NullMarked
package dev.vigil.mirror.wire;

import org.jspecify.annotations.NullMarked;
