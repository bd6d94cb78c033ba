/**
 * Signed objects: JWS in compact serialization (RFC 7515), JWK (RFC 7517) and its thumbprint (RFC
 * 7638), COSE_Sign1 (RFC 9052) and the compact signed update, with verification of their
 * signatures.
 *
 * <p>Threads: everything is a pure function except {@link dev.vigil.signed.jose.SignatureVerifier},
 * which any number of threads may use. It keeps a bounded cache of the provider's key objects and a
 * pool of the provider's signature objects, each used by one thread at a time.
 */
@NullMarked
package dev.vigil.signed.jose;

import org.jspecify.annotations.NullMarked;
