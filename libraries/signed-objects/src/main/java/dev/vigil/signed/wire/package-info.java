/**
 * The library's only cursor over received octets, and its counterpart for writing. Both are pure
 * functions of their input. Input that ends too early or is not canonical is refused with a {@link
 * dev.vigil.signed.SignedObjectException}.
 */
@NullMarked
package dev.vigil.signed.wire;

import org.jspecify.annotations.NullMarked;
