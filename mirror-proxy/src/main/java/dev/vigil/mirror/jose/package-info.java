/**
 * Signed objects: JWS in compact serialization (RFC 7515), JWK (RFC 7517) and its thumbprint (RFC
 * 7638), COSE_Sign1 (RFC 9052), the compact signed update, and the check of their signatures.
 *
 * <p>Everything but {@link dev.vigil.mirror.jose.Signatures} is a pure function. {@code Signatures}
 * is used by any number of threads; it keeps a bounded cache of keys in the provider's own form and
 * a pool of the provider's signature objects, each used by one thread at a time.
 */
@NullMarked
package dev.vigil.mirror.jose;

import org.jspecify.annotations.NullMarked;
