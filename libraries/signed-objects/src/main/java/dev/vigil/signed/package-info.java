/**
 * Strict parsers of signed readings, and verification of their signatures. A client needs only this
 * library to verify what a gateway serves; it depends on no other module.
 *
 * <p>{@code wire} has the cursor, {@code json} and {@code cbor} the readers and writers built on
 * it, {@code senml} measurements, {@code jose} JWS, JWK, the compact signed update and COSE_Sign1.
 * Invalid octets are refused with {@link dev.vigil.signed.SignedObjectException}.
 *
 * <p>Threads: none. Everything is a value or a pure function, except {@code StringCache} and {@link
 * dev.vigil.signed.jose.SignatureVerifier}, which any number of threads may use.
 */
@NullMarked
package dev.vigil.signed;

import org.jspecify.annotations.NullMarked;
